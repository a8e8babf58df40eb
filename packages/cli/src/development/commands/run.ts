import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { demoTokens } from '@corner/sandbox/demo';
import { createIssuer } from '@corner/sandbox/issuer';
import { keyFileIn } from '@corner/sandbox/system';
import { Command } from 'commander';
import { dataFolder, withDataFolder } from '../../options.ts';
import { Failure } from '../../screen/failure.ts';
import { standardOutput } from '../../screen/output.ts';
import { runningSystem } from '../system/find-running.ts';

const what = 'nothing was done';

export const runCommand = withDataFolder(new Command('run'))
  .description(
    'Runs a program with the addresses of the running system in CORNER and PAYMENTS, and tokens of Ana, Bo and Cy in ANA, BO and CY.',
  )
  .argument('<program>', 'a TypeScript or JavaScript file, which runs with the Node of this checkout, or any other command')
  .argument('[arguments...]', 'arguments of the program')
  .option('--json', 'print as JSON what the program would be given, and do not run it')
  .addHelpText('after', '\nExamples:\n  npx corner run first-order.ts\n  npx corner run python3 -- -u first-order.py\n')
  .action(async (program: string, words: readonly string[], options: { data: string; json?: true }) => {
    const given = await environmentIn(dataFolder(options));
    if (options.json) return standardOutput().json(given);
    const shown = [given.CORNER, ...(given.PAYMENTS ? [`payments at ${given.PAYMENTS}`] : [])].join(', ');
    process.stderr.write(`corner    ${shown}\n`);
    process.exitCode = await runWith(given, program, words);
  });

interface Given {
  readonly CORNER: string;
  readonly PAYMENTS?: string;
  readonly ANA: string;
  readonly BO: string;
  readonly CY: string;
}

async function environmentIn(dataDir: string): Promise<Given> {
  const run = runningSystem(dataDir, what);
  const keyFile = keyFileIn(dataDir);
  const tokens = existsSync(keyFile) ? await demoTokens(await createIssuer({ keyFile, env: process.env })) : run.tokens;
  return { CORNER: run.gateway, ...(run.payments ? { PAYMENTS: run.payments } : {}), ANA: tokens.ana, BO: tokens.bo, CY: tokens.cy };
}

async function runWith(given: Given, program: string, words: readonly string[]): Promise<number> {
  const isScript = /\.[cm]?[jt]s$/.test(program);
  if (isScript && !existsSync(program)) throw new Failure(what, `there is no file ${program}`, 'name a program');
  const [command, args] = isScript ? [process.execPath, [program, ...words]] : [program, words];
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...given } });
  // A terminal sends Ctrl-C to the program too, which decides when it ends.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return await new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new Failure(what, `${program} cannot be run: ${cause.message}`, 'name a program', { cause })));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
