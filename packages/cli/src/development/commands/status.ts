import { type RunFile, readRunFile, runFileIn } from '@corner/operator';
import { isAlive, lookForNats, lookForPostgres, readLedger } from '@corner/sandbox/system';
import { Command } from 'commander';
import { z } from 'zod';
import { dataFolder, withDataFolder } from '../../options.ts';
import { Failure } from '../../screen/failure.ts';
import { green, red, standardOutput } from '../../screen/output.ts';

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
    const states = [...(await statesOf(run)), ...(await partsOf(run, ledger.processes))];
    const ready = states.every(({ fault }) => fault === null);
    const output = standardOutput();
    if (options.json) output.json({ running: true, ready, gateway: run.gateway, processes: states });
    else {
      for (const { name, url, pid, fault, remark } of states) {
        const mark = fault === null ? green(output, 'ok') : red(output, 'no');
        const line = `  ${mark}  ${name.padEnd(15)}${url.padEnd(26)}${(pid === null ? '' : `process ${pid}`).padEnd(18)}${fault ?? remark ?? ''}`;
        output.write(`${line.trimEnd()}\n`);
      }
    }
    if (!ready) process.exitCode = 1;
  });

interface State {
  readonly name: string;
  readonly url: string;
  readonly pid: number | null;
  readonly fault: string | null;
  /** A limitation of a ready process, such as that it cannot publish events; null for none. */
  readonly remark: string | null;
}

const Readiness = z.object({ ready: z.boolean(), checks: z.record(z.string(), z.string()) });

async function statesOf(run: RunFile): Promise<State[]> {
  return await Promise.all(
    Object.entries(run.services).map(async ([name, { url, pid }]) => ({ name, url, pid, ...(await readState(url)) })),
  );
}

async function readState(url: string): Promise<Pick<State, 'fault' | 'remark'>> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) });
    const { ready, checks } = Readiness.parse(await response.json());
    const failed = Object.entries(checks).flatMap(([check, state]) => (state === 'ok' ? [] : [`${check}: ${state}`]));
    const described = failed.length > 0 ? failed.join(', ') : null;
    return ready ? { fault: null, remark: described } : { fault: described ?? 'it is stopping', remark: null };
  } catch (error) {
    const tooLate = error instanceof Error && error.name === 'TimeoutError';
    return { fault: tooLate ? 'it does not answer in time' : 'it does not answer', remark: null };
  }
}

async function partsOf(run: RunFile, processes: Readonly<Record<string, { readonly pid: number }>>): Promise<State[]> {
  const simulator = (url: string, path: string) => async () => {
    const { ok, status } = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(10_000) });
    if (!ok) throw new Error(`it answers ${status}`);
    return 'simulator';
  };
  const { NATS_URL, DATABASE_URL, ...env } = process.env;
  const given = (address: string, named: string | undefined) => (address.includes('***') ? (named ?? address) : address);
  const parts = [
    // The file holds no password of a server that the system did not start; the environment does.
    { name: 'postgres', url: run.postgres, look: () => lookForPostgres({ DATABASE_URL: given(run.postgres, DATABASE_URL) }) },
    { name: 'nats', url: run.nats, look: () => lookForNats({ ...env, NATS_URL: given(run.nats, NATS_URL) }) },
    ...(run.payments === null ? [] : [{ name: 'payments', url: run.payments, look: simulator(run.payments, '/_sim/livez') }]),
    ...(run.messages === null ? [] : [{ name: 'messages', url: run.messages, look: simulator(run.messages, '/_sim/livez') }]),
    { name: 'issuer', url: run.issuer, look: simulator(run.issuer, '/livez') },
  ];
  return await Promise.all(
    parts.map(async ({ name, url, look }) => {
      const host = URL.canParse(url) ? new URL(url).host : url;
      const state = await look().then(
        (remark) => ({ fault: null, remark: remark.split(' at ')[0] ?? null }),
        (error: Error) => ({ fault: error.message.split('\n')[0] ?? 'it does not answer', remark: null }),
      );
      return { name, url: host, pid: processes[name]?.pid ?? null, ...state };
    }),
  );
}
