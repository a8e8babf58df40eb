import { CommanderError } from 'commander';
import { corner } from './program.ts';
import { namedCommand } from './screen/fail-on-misuse.ts';
import { forCommand, forDataFolder, formatFailure, toFailure } from './screen/failure.ts';

try {
  await corner.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) {
    const command = namedCommand(corner, process.argv.slice(2));
    const failure = forDataFolder(forCommand(toFailure(error), command), process.argv);
    if (process.argv.includes('--json')) {
      const { what, why, fix } = failure;
      process.stdout.write(`${JSON.stringify({ error: { what, why, fix } }, null, 2)}\n`);
    } else process.stderr.write(formatFailure(failure));
    if (process.env.CORNER_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  }
  process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
}
