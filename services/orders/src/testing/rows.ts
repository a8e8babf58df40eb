import { sql } from 'slonik';
import { z } from 'zod';
import { expireUnpaidOrders } from '../confirmation/jobs.ts';
import type { Running } from './running.ts';

export const eventsOf = async ({ service }: Running, orderId: string) =>
  await service.database.any(sql.type(z.object({ type: z.string(), data: z.any() }))`
    select type, data from outbox where aggregate_id = ${orderId} order by id`);

export const ledgerOf = async ({ service }: Running, orderId: string) =>
  await service.database.any(sql.type(z.object({ kind: z.string(), amount_pence: z.number() }))`
    select kind, amount_pence from ledger where order_id = ${orderId} order by id`);

export const logOf = async ({ service }: Running, orderId: string) =>
  await service.database.anyFirst(
    sql.type(z.object({ kind: z.string() }))`select kind from log_entry where order_id = ${orderId} order by id`,
  );

export const ordersOf = async ({ service }: Running, storeId: string) =>
  await service.database.oneFirst(
    sql.type(z.object({ count: z.number() }))`select count(*)::int as count from orders where store_id = ${storeId}`,
  );

export const takenOf = async ({ service }: Running, storeId: string, item = 'last-cake') =>
  await service.database.oneFirst(sql.type(z.object({ taken: z.number() }))`
    select taken from menu_item where store_id = ${storeId} and id = ${item}`);

const Count = z.object({ count: z.number() });

export const usedOf = async ({ service }: Running, slotId: string) =>
  await service.database.oneFirst(sql.type(Count)`select used as count from slot where id = ${slotId}`);

export const usesOf = async ({ service }: Running, promoId: string) =>
  await service.database.oneFirst(sql.type(Count)`select uses as count from promo where id = ${promoId}`);

export async function expireOverdue({ service, clock }: Running): Promise<void> {
  clock.advance({ minutes: service.context.holdMinutes + 1 });
  await expireUnpaidOrders(service.context);
}
