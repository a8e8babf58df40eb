import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { checkout } from '@corner/sandbox/system';
import type { StreamState } from '@nats-io/jetstream';
import { runDay } from '../load/arrivals.ts';
import { openShops, type Took } from '../load/shop-visits.ts';
import { type Finding, quantile, rowsOf, short } from '../report/figures.ts';
import type { Breakdown } from '../report/report.ts';
import { goal, makeDirectory } from '../system/bench-stores.ts';
import { type BenchSystem, startBenchSystem } from '../system/bench-system.ts';
import { countsAreCompleteAfterMs } from '../system/database-counts.ts';
import { type Measured, measure, times } from '../system/measure.ts';
import { memoryOf, memoryOfServers } from '../system/memory.ts';
import { platformTime } from '../system/processor-time.ts';
import { untilSettled } from '../system/settled.ts';
import type { PartOptions } from './part.ts';

const [storeCount, customerCount] = [200, 2_000];
const runsOfDay = 600;
/** Visitors a second: two slow cores can serve this many besides running the load generator. */
const atPeak = 10;
const warmUpSeconds = 60;
const names = ['first day', 'second day'];

type Day = Measured<Took>;
type Figures = Readonly<Record<string, number>>;
type State = Readonly<Record<string, Figures>>;

export async function measureDay({ seconds, log, explain, stop }: PartOptions): Promise<Finding[]> {
  await using bench = await startBenchSystem({ stop, directory: makeDirectory(storeCount, customerCount, 0), optional: ['directory'] });
  await importStamps(bench);
  const visit = await openShops(bench);
  const live = async (daySeconds: number): Promise<Took> => {
    const took: Took = new Map();
    await runDay(daySeconds, atPeak, (dueAt) => visit(took, dueAt));
    await untilSettled(bench);
    return took;
  };
  await live(warmUpSeconds);
  const [days, states]: [Day[], State[]] = [[], [await stateOf(bench)]];
  for (const name of names) {
    const day = await measure(bench, () => live(seconds * runsOfDay));
    log(`${name}: ${operationsOf(day)} operations, ${msEach(day).toFixed(2)} ms each`);
    days.push(day);
    states.push(await stateOf(bench));
  }
  explain(tableOfOperations(days));
  const processor = (day: Day) => ({ ...times(day.processor, 1_000 / operationsOf(day)), 'the platform': msEach(day) });
  explain(tableOf('Processor time, ms an operation', names, days.map(processor)));
  for (const title of Object.keys(states[0] ?? {})) {
    const figures = states.map((state) => state[title] ?? {});
    explain(tableOf(title, ['before', ...names.map((name) => `after the ${name}`)], figures));
  }
  return findingsOf(days);
}

const operationsOf = ({ result }: Day): number => [...result.values()].reduce((sum, { length }) => sum + length, 0);
const msEach = (day: Day): number => (platformTime(day.processor) / operationsOf(day)) * 1_000;

function findingsOf(days: readonly Day[]): Finding[] {
  const row = rowsOf(days, `a day of ${storeCount} stores: `);
  const [first = 0, second = 0] = days.map(msEach);
  return [
    { ...row('processor of an operation, second day / first', 'ratio', 'less', () => second / first), goal: { at: 'most', value: 1.05 } },
    row('processor', 'ms an operation', 'less', msEach),
    row('operations', 'a day', 'more', operationsOf),
  ];
}

function tableOfOperations(days: readonly Day[]): Breakdown {
  const operations = [...new Set(days.flatMap(({ result }) => [...result.keys()]))].toSorted();
  const cells = (took: readonly number[] = [0]) => [took.length, quantile(took, 0.5), quantile(took, 0.99)].map(short);
  return {
    title: 'Milliseconds of the operations of each day, from when they should have begun',
    columns: ['', ...names.flatMap((name) => [`${name}:`, 'p50', 'p99'])],
    rows: operations.map((operation) => [operation, ...days.flatMap(({ result }) => cells(result.get(operation)))]),
  };
}

function tableOf(title: string, columns: readonly string[], figures: readonly Figures[]): Breakdown {
  const greatest = Object.entries(figures.at(-1) ?? {}).toSorted(([, a], [, b]) => b - a);
  const rows = greatest.slice(0, 14).map(([name]) => [name, ...figures.map((one) => short(one[name] ?? 0))]);
  return { title, columns: ['', ...columns], rows };
}

async function stateOf({ system, database, streams }: BenchSystem): Promise<State> {
  await pause(countsAreCompleteAfterMs);
  const { rows } = await database.query<{ title: string; figures: Figures }>(`
    with counted as (select schemaname as schema, schemaname || '.' || relname as name, pg_total_relation_size(relid) / 1e6 as mb, * from pg_stat_user_tables),
      figures as (select 'Schemas, MB' as title, schema as name, sum(mb) as figure from counted group by schema
        union all select 'Rows by schema, as Postgres counts them', schema, sum(n_live_tup) from counted group by schema
        union all select 'The largest tables, MB', name, mb from counted
        union all select 'Runs of autovacuum', name, autovacuum_count from counted)
    select title, json_object_agg(name, figure) as figures from figures group by title`);
  const listed = await streams.streams.list().next();
  const ofStreams = (figure: (state: StreamState) => number) =>
    Object.fromEntries(listed.map(({ config, state }) => [config.name, figure(state)]));
  return {
    'Memory (PSS), MB': withSum({ ...memoryOf(system), ...memoryOfServers(system) }),
    ...Object.fromEntries(rows.map(({ title, figures }) => [title, withSum(figures)])),
    'Streams, MB': withSum(ofStreams(({ bytes }) => bytes / 1e6)),
    'Messages of streams': withSum(ofStreams(({ messages }) => messages)),
  };
}

const withSum = (figures: Figures): Figures => ({ ...figures, 'in all': Object.values(figures).reduce((sum, each) => sum + each, 0) });

/** Gives customers from no stamp to a full card, so that as many cards become full on the first day as on the second. */
async function importStamps({ dataDir, rewarding: { stores, customerIds } }: BenchSystem): Promise<void> {
  const lines = customerIds.map((id, i) => [stores[i % stores.length]?.code, id, i % (goal + 1)]).filter(([, , stamps]) => stamps !== 0);
  await writeFile(`${dataDir}/stamps.csv`, ['store,customer,stamps', ...lines].join('\n'));
  const command = [`${checkout}/packages/cli/src/main.ts`, 'import-stamps', `${dataDir}/stamps.csv`, '--data', dataDir];
  await promisify(execFile)(process.execPath, command);
}
