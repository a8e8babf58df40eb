import { signIn } from '../load/customers.ts';
import { payForOrders } from '../load/paid-orders.ts';
import { type Finding, short } from '../report/figures.ts';
import { breakdownOf } from '../report/report.ts';
import { pricedBasket } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { measure } from '../system/measure.ts';
import { untilSettled } from '../system/settled.ts';
import { type StatementUse, statementUse, usedStatements } from '../system/statement-use.ts';
import type { PartOptions } from './part.ts';

const shown = 30;

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
