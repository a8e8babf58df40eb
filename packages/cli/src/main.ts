import process from 'node:process';
import { runCommandLine } from './run-command-line.ts';

// The reader of the output has closed it, as in `corner events | head`.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });

const { code, output, errors } = await runCommandLine(process.argv.slice(2));
process.exitCode = code;
process.stdout.write(output);
process.stderr.write(errors);
