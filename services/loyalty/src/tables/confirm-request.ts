import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Tap } from '../nfc/verify-proof.ts';
import { graceSeconds, lookbackSeconds } from '../rules/multi-stamp.ts';
import { type Card, lockCard, Standing, selectStanding, settleCard, tellApproved } from './cards.ts';
import { multiStampsThisMonth, quotaSpent, stampsAround } from './limits.ts';
import { useTap } from './taps.ts';

export interface Confirming {
  readonly storeId: string;
  readonly customerId: string;
  /** Null: the customer's latest. */
  readonly requestId: string | null;
  /** Who vouches. */
  readonly staffId: string;
  readonly reason: string;
  readonly tap: Tap | null;
}

/** What a confirmation came to. */
export interface Confirmed {
  readonly stamps: number;
  readonly stampCount: number;
  readonly goal: number;
  readonly voucherIds: readonly string[];
  /** It had been confirmed before, and nothing happened now. */
  readonly before: boolean;
}

const Request = z.object({
  id: z.string(),
  status: z.enum(['pending', 'confirmed', 'cancelled', 'expired']),
  stamps: z.number(),
  lapsed: z.boolean(),
  recent: z.boolean(),
  stampCount: z.number().nullable(),
  goal: z.number().nullable(),
  voucherIds: z.array(z.string()).nullable(),
});
type Request = z.output<typeof Request>;

/**
 * Turns a request into its stamps, once, under the store's and the card's locks; a cancellation or an expiry at the same instant
 * waits on the request's row, and whoever is second sees the first. Throws NO_PENDING_REQUEST, MULTI_STAMP_EXPIRED,
 * MULTI_STAMP_MONTHLY_CEILING, MONTHLY_LIMIT_REACHED, NFC_TAP_REPLAYED: nothing is changed or used up then.
 */
export async function confirmRequest(tx: Transaction, confirming: Confirming, at: Date, newId: () => string): Promise<Confirmed> {
  const card = await lockCard(tx, confirming.storeId, confirming.customerId, at, { quota: true });
  const request = await lockRequest(tx, confirming, at);
  if (!card || !request) throw new Problem('NO_PENDING_REQUEST');
  const { stamps, stampCount, goal, voucherIds } = request;
  if (request.status === 'confirmed' && request.recent && stampCount !== null && goal !== null)
    return { stamps, stampCount, goal, voucherIds: voucherIds ?? [], before: true };
  if (request.status === 'expired' || (request.status === 'pending' && request.lapsed)) throw new Problem('MULTI_STAMP_EXPIRED');
  if (request.status !== 'pending') throw new Problem('NO_PENDING_REQUEST');
  const confirmed = await multiStampsThisMonth(tx, { ...card, timeZone: card.time_zone }, at);
  if (confirmed + stamps > card.settings.multi_stamp.monthly_ceiling) throw new Problem('MULTI_STAMP_MONTHLY_CEILING');
  const { month } = await stampsAround(tx, card, at, at);
  if (quotaSpent(card, month, stamps)) throw new Problem('MONTHLY_LIMIT_REACHED');
  if (confirming.tap && !(await useTap(tx, confirming.tap, at))) throw new Problem('NFC_TAP_REPLAYED');
  return await stampAtOnce(tx, card, request, confirming, at, newId);
}

/** The request that is meant, locked. Without an id it is the latest that was not cancelled, a moment ago at most. */
async function lockRequest(tx: Transaction, { storeId, customerId, requestId }: Confirming, at: Date): Promise<Request | null> {
  const ago = (seconds: number) => new Date(at.getTime() - seconds * 1_000).toISOString();
  const [name, meant] = requestId
    ? ['multi-stamp-by-id', sql.fragment`id = ${requestId}`]
    : ['multi-stamp-latest', sql.fragment`status <> 'cancelled' and coalesce(resolved_at, expires_at) >= ${ago(lookbackSeconds)}`];
  return await tx.maybeOne(sql.prepared(name, Request)`
    select id, status, requested_stamps as stamps, expires_at < ${ago(graceSeconds)} as lapsed,
      coalesce(resolved_at >= ${ago(lookbackSeconds)}, false) as recent, stamp_count as "stampCount", goal, voucher_ids as "voucherIds"
    from multi_stamp_request
    where store_id = ${storeId} and customer_id = ${customerId} and ${meant}
    order by created_at desc, id desc limit 1 for update`);
}

/** Puts the stamps on the card, and tells of each, of the vouchers, and of all of it together. */
async function stampAtOnce(
  tx: Transaction,
  card: Card,
  { id, stamps }: Request,
  { staffId, reason }: Confirming,
  at: Date,
  newId: () => string,
): Promise<Confirmed> {
  const stampIds = Array.from({ length: stamps }, newId);
  const reached = await tx.one(sql.prepared('stamp-at-once', Standing)`
    with collected as (
      insert into stamp (id, store_id, customer_id, status, source, approval_reason, request_id, n, created_at, approved_at)
      select s.id, ${card.storeId}, ${card.customerId}, 'approved', 'multi_stamp', ${reason}, ${id}, s.n, ${at.toISOString()}, ${at.toISOString()}
      from unnest(${sql.array(stampIds, 'uuid')}) with ordinality s(id, n)
    )
    ${selectStanding(card, sql.fragment`${stamps}::int`)}`);
  await tellApproved(card, stampIds, { source: 'multi_stamp', order_id: null }, reached.stampCount);
  const { minted, stampCount } = await settleCard(tx, card, reached, at, newId);
  const voucherIds = minted.map((voucher) => voucher.id);
  await tx.one(sql.prepared('confirm-multi-stamp', z.object({ id: z.string() }))`
    update multi_stamp_request
    set status = 'confirmed', resolved_at = ${at.toISOString()}, confirmed_by = ${staffId}, stamp_count = ${stampCount}, goal = ${card.goal},
        voucher_ids = ${sql.array(voucherIds, 'uuid')}
    where id = ${id} and status = 'pending' returning id`);
  await card.tellMultiStamp({ request_id: id, stamps, stamp_count: stampCount });
  return { stamps, stampCount, goal: card.goal, voucherIds, before: false };
}
