import { setTimeout as pause } from 'node:timers/promises';
import { signIn } from '../load/customers.ts';
import { placeOrders } from '../load/place-orders.ts';
import { type Finding, spread } from '../report/figures.ts';
import { freeBasket } from '../system/bench-stores.ts';
import { type BenchSystem, startBenchSystem } from '../system/bench-system.ts';
import { databaseCounts } from '../system/database-counts.ts';
import { measure, measureIdle } from '../system/measure.ts';
import { megabytesInAll, memoryOf } from '../system/memory.ts';
import { platformTime } from '../system/processor-time.ts';
import { untilSettled } from '../system/settled.ts';
import type { PartOptions } from './part.ts';

const idleSeconds = 30;
const orders = 10_000;

export async function measureIdleSystem(options: PartOptions): Promise<Finding[]> {
  await using bench = await startBenchSystem({ stop: options.stop });
  return [...(await idleOf(bench, options)), ...(await memoryUnderOrders(bench, options)), ...(await readyTimes(bench, options))];
}

async function idleOf(bench: BenchSystem, { log }: PartOptions): Promise<Finding[]> {
  await measureIdle(bench);
  const before = await databaseCounts(bench);
  const { seconds, processor } = await measure(bench, () => pause(idleSeconds * 1000));
  const { commits } = await databaseCounts(bench);
  const [perSecond, share] = [(commits - before.commits) / seconds, (platformTime(processor) / seconds) * 100];
  const memory = memoryOf(bench.system);
  log(`idle: ${perSecond.toFixed(1)} transactions a second, ${share.toFixed(1)} % of a core, ${memoryAsText(memory)} MB`);
  return [
    {
      what: 'idle system: transactions',
      unit: 'a second',
      figure: spread([perSecond], 'less'),
      goal: { at: 'most', value: 11 },
    },
    { what: 'idle system: processor', unit: '% of a core', figure: spread([share], 'less'), goal: { at: 'most', value: 2 } },
    {
      what: 'five services, idle: memory (PSS)',
      unit: 'MB',
      figure: spread([megabytesInAll(memory)], 'less'),
      goal: { at: 'most', value: 420 },
    },
  ];
}

async function memoryUnderOrders(bench: BenchSystem, { log, seconds }: PartOptions): Promise<Finding[]> {
  const { stores, customerIds } = bench.rewarding;
  const customers = await signIn(bench.system, customerIds);
  const { gatewayUrl } = bench.system;
  for (let placed = 0; placed < orders; ) {
    placed += (await placeOrders({ gatewayUrl, customers, stores, basket: freeBasket, concurrency: 16, seconds })).count;
    log(`${placed} orders: ${memoryAsText(memoryOf(bench.system))} MB`);
  }
  await untilSettled(bench, 600_000);
  const memory = memoryOf(bench.system);
  return [
    {
      what: `five services, after ${orders.toLocaleString('en-GB')} orders: memory (PSS)`,
      unit: 'MB',
      figure: spread([megabytesInAll(memory)], 'less'),
      goal: { at: 'most', value: 600 },
    },
  ];
}

async function readyTimes({ system }: BenchSystem, { repetitions, log }: PartOptions): Promise<Finding[]> {
  const took: number[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    const all = Object.values(system.services);
    await Promise.all(all.map((service) => service.stop()));
    const began = performance.now();
    await Promise.all(all.map((service) => service.restart()));
    took.push((performance.now() - began) / 1000);
    log(`ready ${repetition}/${repetitions}: ${took.at(-1)?.toFixed(2)} s`);
  }
  return [{ what: 'five services started together: ready', unit: 's', figure: spread(took, 'less'), goal: { at: 'most', value: 1.3 } }];
}

const memoryAsText = (memory: Readonly<Record<string, number>>): string =>
  Object.entries(memory)
    .map(([name, megabytes]) => `${name} ${Math.round(megabytes)}`)
    .join(', ');
