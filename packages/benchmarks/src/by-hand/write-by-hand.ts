import type { BenchSystem } from '../system/bench-system.ts';
import { type Idle, measure } from '../system/measure.ts';
import type { HandDatabase } from './hand-database.ts';
import { type OrderKind, orderWrites } from './order-writes.ts';
import { type HandOptions, hasPgbench, pgbench } from './pgbench.ts';
import { statementsByClient } from './statements-by-client.ts';

export interface ByHand {
  readonly count: number;
  readonly perSecond: number;
  readonly processor: number;
  readonly postgres: number;
}

interface HandRun {
  readonly hand: HandDatabase;
  readonly kind: OrderKind;
  readonly concurrency: number;
  readonly seconds: number;
}

/**
 * Subtracts connecting and planning, which the services have already done, and the share of the idle services in Postgres. Times are
 * processor seconds an order.
 */
export async function writeByHand(bench: BenchSystem, idle: Idle, { hand, kind, concurrency, seconds }: HandRun): Promise<ByHand> {
  const script = orderWrites([...bench.rewarding.stores, ...bench.plain.stores].slice(0, 16), kind);
  const program = (await hasPgbench()) ? pgbench : statementsByClient;
  const use = async (until: HandOptions['until']) => {
    const measured = await measure(bench, () => program({ databaseUrl: hand.url, script, concurrency, until }));
    const postgres = (measured.processor.postgres ?? 0) - (idle.processor.postgres ?? 0) * measured.seconds;
    return { ...measured.result, lasted: measured.seconds, postgres, client: measured.processor['load generator'] ?? 0 };
  };
  const first = await use({ transactions: 1 });
  const all = await use({ seconds: Math.ceil(seconds + first.lasted) });
  const count = all.count - first.count;
  const postgres = (all.postgres - first.postgres) / count;
  return { count, perSecond: all.perSecond, postgres, processor: postgres + (all.client - first.client) / count };
}
