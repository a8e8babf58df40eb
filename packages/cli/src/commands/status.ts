import { isAlive, look, type RunFile, readLedger, readRunFile, runFileIn } from '@corner/sandbox';
import { Command } from 'commander';
import { z } from 'zod';
import { dataFolder, withDataFolder } from '../data-folder.ts';
import { Failure } from '../failure.ts';
import { green, red, standardOutput } from '../output.ts';

/** `corner status`: whether the system runs, and how each process feels. */
export const statusCommand = withDataFolder(new Command('status'))
  .description('Says whether the system runs and whether each process is ready. Exit code 1 when it is not.')
  .option('--json', 'print it as JSON')
  .addHelpText('after', '\nExample:\n  npx corner status --json\n')
  .action(async (options: { data: string; json?: true }) => {
    const folder = dataFolder(options);
    const run = readRunFile(runFileIn(folder));
    const ledger = readLedger(folder);
    if (!run || !ledger || !isAlive(ledger.supervisor))
      throw new Failure('corner is not running', `nothing runs with its data in ${folder}`, 'npm start');
    const states = await statesOf(run);
    const ready = states.every(({ fault }) => fault === null);
    const output = standardOutput();
    if (options.json) output.json({ running: true, ready, gateway: run.gateway, processes: states });
    else {
      for (const { name, url, pid, fault } of states) {
        const mark = fault === null ? green(output, 'ok') : red(output, 'no');
        const line = `  ${mark}  ${name.padEnd(15)}${url.padEnd(26)}process ${String(pid).padEnd(10)}${fault ?? ''}`;
        output.write(`${line.trimEnd()}\n`);
      }
    }
    if (!ready) process.exitCode = 1;
  });

interface State {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** What it says of itself when it is not ready; null when it is. */
  readonly fault: string | null;
}

/** What a process says at /readyz when it is not ready: the checks that failed, where it names them. */
const Unready = z.object({ checks: z.record(z.string(), z.string()) });

async function statesOf(run: RunFile): Promise<State[]> {
  return await Promise.all(
    Object.entries(run.services).map(async ([name, { url, pid }]) => ({ name, url, pid, fault: inWords(await look(`${url}/readyz`)) })),
  );
}

function inWords(said: string | null): string | null {
  if (said === null) return null;
  try {
    const failed = Object.entries(Unready.parse(JSON.parse(said)).checks).filter(([, check]) => check !== 'ok');
    return failed.length > 0 ? failed.map(([check, fault]) => `${check}: ${fault}`).join(', ') : 'it is stopping';
  } catch {
    return said;
  }
}
