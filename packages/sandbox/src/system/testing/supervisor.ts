import { spawn } from 'node:child_process';
import { startChild } from '../child.ts';
import { openLedger } from '../ledger.ts';

const [, , dataDir = ''] = process.argv;
const ledger = openLedger(dataDir);
const server = spawn(process.execPath, [`${import.meta.dirname}/listener.ts`], { detached: true, stdio: 'ignore' });
ledger.note('server', server.pid ?? 0);
const program = startChild({
  program: `${import.meta.dirname}/listener.ts`,
  cwd: dataDir,
  env: { PATH: process.env.PATH },
  logFile: `${dataDir}/listener.log`,
});
ledger.note('program', program.pid);
process.stdout.write(`${JSON.stringify({ server: server.pid, program: program.pid })}\n`);
