import { sql } from 'slonik';
import { z } from 'zod';
import { expireUnpaidOrders } from '../confirmation/jobs.ts';
import type { Running } from './running.ts';

/** Reads the events published about an order, in order. */
export const eventsOf = async ({ service }: Running, orderId: string) =>
  await service.database.any(sql.type(z.object({ type: z.string(), data: z.any() }))`
    select type, data from outbox where aggregate_id = ${orderId} order by id`);

/** Reads the ledger of an order. */
export const ledgerOf = async ({ service }: Running, orderId: string) =>
  await service.database.any(sql.type(z.object({ kind: z.string(), amount_pence: z.number() }))`
    select kind, amount_pence from ledger where order_id = ${orderId} order by id`);

/** Reads the kinds of an order's log entries, oldest first. */
export const logOf = async ({ service }: Running, orderId: string) =>
  await service.database.anyFirst(
    sql.type(z.object({ kind: z.string() }))`select kind from log_entry where order_id = ${orderId} order by id`,
  );

/** Counts the orders of a store. */
export const ordersOf = async ({ service }: Running, storeId: string) =>
  await service.database.oneFirst(
    sql.type(z.object({ count: z.number() }))`select count(*)::int as count from orders where store_id = ${storeId}`,
  );

/** Reads how many units of an item are taken. */
export const takenOf = async ({ service }: Running, storeId: string, item = 'last-cake') =>
  await service.database.oneFirst(sql.type(z.object({ taken: z.number() }))`
    select taken from menu_item where store_id = ${storeId} and id = ${item}`);

const Count = z.object({ count: z.number() });

/** Reads how many places of a slot are used. */
export const usedOf = async ({ service }: Running, slotId: string) =>
  await service.database.oneFirst(sql.type(Count)`select used as count from slot where id = ${slotId}`);

/** Reads how often a promo code is used. */
export const usesOf = async ({ service }: Running, promoId: string) =>
  await service.database.oneFirst(sql.type(Count)`select uses as count from promo where id = ${promoId}`);

/** Moves the clock past the time to pay, and expires the unpaid orders. */
export async function expireOverdue({ service, clock }: Running): Promise<void> {
  clock.advance({ minutes: service.context.holdMinutes + 1 });
  await expireUnpaidOrders(service.context);
}
