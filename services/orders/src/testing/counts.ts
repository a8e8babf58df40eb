import { sql } from 'slonik';
import { z } from 'zod';
import { expireUnpaidOrders } from '../payment/jobs.ts';
import type { Running } from './running.ts';

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
