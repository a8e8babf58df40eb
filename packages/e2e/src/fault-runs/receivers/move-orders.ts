import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { recordingClient } from '../../testing/recording-client.ts';
import type { Stage } from '../stage.ts';
import { ownerTokenOf } from './webhooks-agree.ts';

const movers = 8;
const movesOfOne = 200;

interface PaidOrder {
  readonly id: string;
  readonly store_id: string;
}

/**
 * Each move of a paid order between accepted and preparing is an event, many of the same order, with little other work. When a move fails
 * for longer than a client retries it, the mover goes on with another order.
 */
export async function moveOrders(stage: Stage, until: AbortSignal): Promise<void> {
  const taken = new Set<string>();
  const move = async () => {
    while (!until.aborted) {
      const order = await findOrder(stage, [...taken]).catch(() => null);
      if (!order) await new Promise((resolve) => setTimeout(resolve, 500));
      else if (!taken.has(order.id)) {
        taken.add(order.id);
        await moveToAndFro(stage, order, until).catch(() => {});
      }
    }
  };
  await Promise.all(Array.from({ length: movers }, move));
}

async function moveToAndFro(stage: Stage, { id: orderId, store_id }: PaidOrder, until: AbortSignal): Promise<void> {
  const token = await ownerTokenOf(stage);
  const call = (operation: string) =>
    recordingClient(stage.system.gatewayUrl, stage.history, { operation, key: randomUUID(), token }, 45_000);
  const params = { path: { orderId } };
  for (let moves = 0; moves < movesOfOne && !until.aborted; moves += 2) {
    await call('move').PATCH('/api/v1/orders/{orderId}/fulfilment', { params, body: { store_id, to_status: 'preparing' } });
    await call('move back').POST('/api/v1/orders/{orderId}/correct', {
      params,
      body: { store_id, to_status: 'accepted', reason: 'It was another order.' },
    });
  }
}

async function findOrder({ system }: Stage, taken: readonly string[]): Promise<PaidOrder | null> {
  const client = new pg.Client({ connectionString: system.databaseUrl });
  client.on('error', () => {}); // Killing Postgres ends the connection; an unhandled error would end the process.
  await client.connect();
  try {
    const { rows } = await client.query<PaidOrder>(
      `select id, store_id from orders.orders
       where fulfilment_status = 'accepted' and order_type = 'collect' and not id = any($1) order by created_at desc limit 1`,
      [taken],
    );
    return rows[0] ?? null;
  } finally {
    await client.end();
  }
}
