import type { Operation, Transaction } from '@corner/chassis';
import { type loyalty, Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { mostAtOnce, whyNotTaken, windowSeconds } from '../rules/multi-stamp.ts';
import { instant } from '../tables/cards.ts';
import { multiStampsThisMonth } from '../tables/limits.ts';
import { findStore } from '../tables/stores.ts';

/** Makes a request that staff confirm within a minute. One that has lapsed gives way; one that still waits does not. */
export const requestMultiStamp: Operation<typeof loyalty.requestMultiStamp, Context> = async (
  { body, caller },
  { database, now, newId },
) => {
  const { requested_stamps } = body;
  return await database.transaction(async (tx) => {
    const at = now();
    const store = await findStore(tx, body.store_id);
    if (!store) throw new Problem('STORE_NOT_FOUND');
    const refusal = whyNotTaken(store);
    if (refusal || !store.multiStamp) throw new Problem(refusal ?? 'MULTI_STAMP_DISABLED');
    const most = mostAtOnce(store);
    if (requested_stamps > most) throw new Problem('VALIDATION_FAILED', { message: `body.requested_stamps: must be 1 to ${most} here` });
    const whose = { storeId: store.id, customerId: caller.id };
    const confirmed = await multiStampsThisMonth(tx, { ...whose, timeZone: store.timeZone }, at);
    if (confirmed + requested_stamps > store.multiStamp.monthly_ceiling) throw new Problem('MULTI_STAMP_MONTHLY_CEILING');
    const request = { id: newId(), ...whose, stamps: requested_stamps };
    const expires_at = await openRequest(tx, request, at);
    if (expires_at === null) throw new Problem('MULTI_STAMP_PENDING');
    return { request_id: request.id, requested_stamps, expires_at, expires_in_seconds: windowSeconds };
  });
};

interface Request {
  readonly id: string;
  readonly storeId: string;
  readonly customerId: string;
  readonly stamps: number;
}

/** Answers when the request ends; null when another waits. */
async function openRequest(tx: Transaction, { id, storeId, customerId, stamps }: Request, at: Date): Promise<string | null> {
  await tx.query(sql.prepared('lapse-multi-stamp', z.object({}))`
    update multi_stamp_request set status = 'expired', resolved_at = expires_at
    where store_id = ${storeId} and customer_id = ${customerId} and status = 'pending' and expires_at <= ${at.toISOString()}`);
  return await tx.maybeOneFirst(sql.prepared('open-multi-stamp', z.object({ expires_at: z.string() }))`
    insert into multi_stamp_request (id, store_id, customer_id, requested_stamps, status, created_at, expires_at)
    values (${id}, ${storeId}, ${customerId}, ${stamps}, 'pending', ${at.toISOString()},
      ${new Date(at.getTime() + windowSeconds * 1_000).toISOString()})
    on conflict (store_id, customer_id) where status = 'pending' do nothing
    returning ${instant(sql.fragment`expires_at`)} as expires_at`);
}
