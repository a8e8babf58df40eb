import { isAlive, look, type RunFile, readLedger, readRunFile, runFileIn } from '@corner/sandbox';
import { Command } from 'commander';
import { z } from 'zod';
import { dataFolder, withDataFolder } from '../arguments/data-folder.ts';
import { Failure } from '../screen/failure.ts';
import { green, red, standardOutput } from '../screen/output.ts';

/** `corner status`: prints whether the system runs and whether each process is ready. */
export const statusCommand = withDataFolder(new Command('status'))
  .description('Shows whether the system runs and whether each process is ready. Exit code 1 when one is not.')
  .option('--json', 'print it as JSON')
  .addHelpText('after', '\nExample:\n  npx corner status --json\n')
  .action(async (options: { data: string; json?: true }) => {
    const folder = dataFolder(options);
    const run = readRunFile(runFileIn(folder));
    const ledger = readLedger(folder);
    if (!run || !ledger || !isAlive(ledger.supervisor))
      throw new Failure('corner is not running', `no process uses the data in ${folder}`, 'npm start');
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
  /** Why the process is not ready; null when it is. */
  readonly fault: string | null;
}

/** The body of /readyz when a process is not ready: the state of each check. */
const Unready = z.object({ checks: z.record(z.string(), z.string()) });

async function statesOf(run: RunFile): Promise<State[]> {
  return await Promise.all(
    Object.entries(run.services).map(async ([name, { url, pid }]) => ({
      name,
      url,
      pid,
      fault: describeFault(await look(`${url}/readyz`)),
    })),
  );
}

function describeFault(body: string | null): string | null {
  if (body === null) return null;
  try {
    const failed = Object.entries(Unready.parse(JSON.parse(body)).checks).filter(([, check]) => check !== 'ok');
    return failed.length > 0 ? failed.map(([check, fault]) => `${check}: ${fault}`).join(', ') : 'it is stopping';
  } catch {
    return body;
  }
}
