import { signIn } from '../load/customers.ts';
import { payForOrders } from '../load/paid-orders.ts';
import { type Finding, short } from '../report/figures.ts';
import { breakdownOf } from '../report/report.ts';
import { pricedBasket } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { measure } from '../system/measure.ts';
import { untilSettled } from '../system/settled.ts';
import type { PartOptions } from './part.ts';

const shown = 30;

/** Where a paid order's time goes, by process and by statement. */
export async function profilePaidOrders(bench: BenchSystem, { seconds, explain }: PartOptions): Promise<Finding[]> {
  const { system, rewarding } = bench;
  const { stores, customerIds } = rewarding;
  const customers = await signIn(system, customerIds);
  const pay = async () => {
    const load = await payForOrders({ system, customers, stores, basket: pricedBasket, concurrency: 16, seconds: seconds * 2 });
    await untilSettled(bench);
    return load.count;
  };
  const before = await statementUse(bench);
  const { result: orders, processor } = await measure(bench, pay);
  const used = usedStatements(before, await statementUse(bench));
  explain(breakdownOf('Processor time of a paid order by process', processor, orders));
  explain({ title: 'Statements of a paid order', columns: statementColumns, rows: statementRows(used, orders) });
  return [];
}

const statementColumns = ['statement', 'calls an order', 'of all time', 'µs', 'blocks', 'rows', 'log, B'];

function statementRows(used: readonly StatementUse[], orders: number): string[][] {
  const all = used.reduce((sum, { ms }) => sum + ms, 0);
  return used
    .slice(0, shown)
    .map(({ service, text, calls, ms, blocks, rows, walBytes }) => [
      `${service}: ${text.slice(0, 90).replaceAll('|', '¦')}`,
      (calls / orders).toFixed(2),
      `${((ms / all) * 100).toFixed(1)} %`,
      short((ms / calls) * 1000),
      short(blocks / calls),
      short(rows / calls),
      short(walBytes / calls),
    ]);
}

interface StatementUse {
  readonly service: string;
  readonly text: string;
  readonly calls: number;
  /** Milliseconds, waits for locks and for the disk among them. */
  readonly ms: number;
  readonly blocks: number;
  readonly rows: number;
  readonly walBytes: number;
}

/** Reads what every statement of the services has done, by a key of the statement. */
async function statementUse({ database }: BenchSystem): Promise<ReadonlyMap<string, StatementUse>> {
  const { rows } = await database.query<StatementUse & { key: string }>(
    `select concat_ws(' ', s.userid, s.dbid, s.queryid, s.toplevel) as key, replace(r.rolname, 'corner_', '') as service,
       regexp_replace(s.query, '\\s+', ' ', 'g') as text, s.calls::float8, (s.total_exec_time + s.total_plan_time)::float8 as ms,
       (s.shared_blks_hit + s.shared_blks_read)::float8 as blocks, s.rows::float8, s.wal_bytes::float8 as "walBytes"
     from pg_stat_statements s join pg_roles r on r.oid = s.userid where r.rolname like 'corner\\_%'`,
  );
  return new Map(rows.map(({ key, ...use }) => [key, use]));
}

/** Returns each statement's use between two readings, the slowest in all first. */
function usedStatements(before: ReadonlyMap<string, StatementUse>, after: ReadonlyMap<string, StatementUse>): StatementUse[] {
  const since = (key: string, use: StatementUse): StatementUse => {
    const then = before.get(key);
    if (!then) return use;
    const { calls, ms, blocks, rows, walBytes } = use;
    return {
      ...use,
      calls: calls - then.calls,
      ms: ms - then.ms,
      blocks: blocks - then.blocks,
      rows: rows - then.rows,
      walBytes: walBytes - then.walBytes,
    };
  };
  return [...after]
    .map(([key, use]) => since(key, use))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.ms - a.ms);
}
