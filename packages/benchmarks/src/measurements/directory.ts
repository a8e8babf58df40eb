import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { checkout, type RunningSystem, startSystem } from '@corner/sandbox/system';
import { type Finding, quantile, rowsOf } from '../report/figures.ts';
import type { PartOptions } from './part.ts';

const [storeCount, itemCount] = [1_000, 100];
const [rate, seconds, changedStores] = [50, 10, 200];
const readEveryMs = 200;

interface Imported {
  readonly seconds: number;
  readonly commandMegabytes: number;
  readonly serviceMegabytes: number;
}

export async function measureDirectory({ repetitions, log, stop }: PartOptions): Promise<Finding[]> {
  const imports: Imported[] = [];
  const again: Imported[] = [];
  const dry: Imported[] = [];
  const delays: number[][] = [];
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    const dataDir = await mkdtemp(`${tmpdir()}/corner-directory-`);
    const { DATABASE_URL: _database, NATS_URL: _nats, NATS_NAMESPACE: _namespace, STRIPE_SECRET_KEY: _key, ...env } = process.env;
    const settings = {
      dataDir,
      ports: 'any',
      env: { ...env, RATE_LIMITS: 'off' },
      directory: null,
      optional: ['directory'],
      stop,
    } as const;
    const system = await startSystem(settings);
    try {
      const stores = Array.from({ length: storeCount }, () => randomUUID());
      await writeFile(`${dataDir}/directory.json`, JSON.stringify(directoryOf(stores)));
      dry.push(await importFile(system, dataDir, '--dry-run'));
      imports.push(await importFile(system, dataDir));
      again.push(await importFile(system, dataDir));
      log(`import ${repetition}/${repetitions}: ${JSON.stringify([dry.at(-1), imports.at(-1), again.at(-1)])}`);
      delays.push(await changePrices(system, stores.slice(0, changedStores)));
      log(`change ${repetition}/${repetitions}: p50 ${quantile(delays.at(-1) ?? [], 0.5).toFixed(0)} ms`);
    } finally {
      await system.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  const row = rowsOf(imports, `import of ${storeCount} stores with ${itemCount} items each: `);
  const delay = rowsOf(delays, `a changed price, ${rate} a second, reply to an app's read: `);
  return [
    row('applied by every service', 's', 'less', (one) => one.seconds),
    row('memory of the command (peak RSS)', 'MB', 'less', (one) => one.commandMegabytes),
    row('memory of the service (peak RSS)', 'MB', 'less', (one) => one.serviceMegabytes),
    rowsOf(dry, 'a dry run of it: ')('replied', 's', 'less', (one) => one.seconds),
    rowsOf(again, 'the same import again: ')('replied', 's', 'less', (one) => one.seconds),
    delay('p50', 'ms', 'less', (times) => quantile(times, 0.5)),
    delay('p99', 'ms', 'less', (times) => quantile(times, 0.99), { at: 'most', value: 1_000 }),
  ];
}

const items = Array.from({ length: itemCount }, (_, n) => ({ id: `item-${n}`, name: `Item ${n}`, price_pence: 100 + n }));

const directoryOf = (stores: readonly string[]): object => ({
  stores: stores.map((id, n) => ({ id, code: `D${n}`, name: `Store ${n}` })),
  menus: stores.map((store_id) => ({ store_id, items })),
});

async function importFile({ services }: RunningSystem, dataDir: string, ...options: readonly string[]): Promise<Imported> {
  const began = performance.now();
  const command = spawn(process.execPath, [
    `${checkout}/packages/cli/src/main.ts`,
    'directory',
    'import',
    `${dataDir}/directory.json`,
    '--data',
    dataDir,
    '--json',
    ...options,
  ]);
  let printed = '';
  command.stderr.on('data', (text: Buffer) => {
    printed += text.toString();
  });
  command.stdout.resume();
  let ended: number | null = null;
  command.on('close', (code) => {
    ended = code ?? 1;
  });
  let peak = 0;
  while (ended === null) {
    peak = Math.max(peak, peakMegabytes(command.pid ?? 0));
    await pause(20);
  }
  if (ended !== 0) throw new Error(`the import failed: ${printed}`);
  const serviceMegabytes = peakMegabytes(services.directory?.pid ?? 0);
  return { seconds: (performance.now() - began) / 1000, commandMegabytes: peak, serviceMegabytes };
}

function peakMegabytes(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

async function changePrices({ gatewayUrl, tokens }: RunningSystem, stores: readonly string[]): Promise<number[]> {
  const merchants = await Promise.all(stores.map((store) => tokens.token({ typ: 'merchant', sub: randomUUID(), stores: [store] })));
  const menuOf = (store: string) => `${gatewayUrl}/api/v1/orders/stores/${store}/menu`;
  const change = async (n: number): Promise<number> => {
    const store = stores[n % stores.length] ?? '';
    const price = 1_000 + n;
    const reply = await fetch(`${gatewayUrl}/api/v1/directory/stores/${store}/menu`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${merchants[n % stores.length]}`,
        'content-type': 'application/json',
        'if-match': '*',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ items: [{ id: 'item-0', price_pence: price }] }),
    });
    if (!reply.ok) throw new Error(`a change was refused: ${await reply.text()}`);
    const began = performance.now();
    await reply.arrayBuffer();
    while (!(await (await fetch(menuOf(store))).text()).includes(`"price_pence":${price},`)) await pause(readEveryMs);
    return performance.now() - began;
  };
  const running: Promise<number>[] = [];
  const began = performance.now();
  for (let n = 0; n < rate * seconds; n += 1) {
    await pause(Math.max((n * 1000) / rate - (performance.now() - began), 0));
    running.push(change(n));
  }
  return await Promise.all(running);
}
