import { sql } from 'slonik';
import { z } from 'zod';
import { expireUnpaidOrders } from '../jobs/expire-unpaid-orders.ts';
import type { Running } from './running.ts';

const Count = z.object({ count: z.number() });

/** Places that are used in a slot. */
export const usedOf = async ({ service }: Running, slotId: string) =>
  await service.database.oneFirst(sql.type(Count)`select used as count from slot where id = ${slotId}`);

/** Uses of a promo code. */
export const usesOf = async ({ service }: Running, promoId: string) =>
  await service.database.oneFirst(sql.type(Count)`select uses as count from promo where id = ${promoId}`);

/** Lets the time to pay pass, and whatever was not paid lapse. */
export async function lapse({ service, clock }: Running): Promise<void> {
  clock.advance({ minutes: service.context.holdMinutes + 1 });
  await expireUnpaidOrders(service.context);
}
