import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { startSystem } from '@corner/sandbox/system';
import { describeResult, fuzz } from './run.ts';

const help = `npm run fuzz -- [options]
  --requests N        default 20,000
  --seed N            generates the same requests as an earlier run with this seed; printed when drawn
  --only OPERATION    may be repeated
  --keep              keeps the folder with the logs of the processes`;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());

async function run(): Promise<void> {
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  const dataDir = await mkdtemp(`${tmpdir()}/corner-fuzz-`);
  // The run must not use servers with other data, or Stripe.
  const { DATABASE_URL: _database, NATS_URL: _nats, NATS_NAMESPACE: _namespace, STRIPE_SECRET_KEY: _key, ...env } = process.env;
  try {
    await using system = await startSystem({
      dataDir,
      ports: 'any',
      env: { LOG_LEVEL: 'error', ...env, RATE_LIMITS: 'off' },
      stop: stopped.signal,
    });
    stopped.signal.addEventListener('abort', () => void system.stop().finally(() => process.exit(130)));
    console.error(`seed ${seed}, logs in ${dataDir}/log`);
    const result = await fuzz(system, { requests: Number(values.requests), seed, only: values.only, log: (line) => console.error(line) });
    console.log(`seed ${seed}\n${describeResult(result)}`);
    if (result.faults.length > 0) process.exitCode = 1;
  } finally {
    if (!values.keep) await rm(dataDir, { recursive: true, force: true });
  }
}

if (values.help) console.log(help);
else await run();
