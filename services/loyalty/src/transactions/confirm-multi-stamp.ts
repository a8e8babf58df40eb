import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { Tap } from '../nfc/verify-proof.ts';
import { monthlyQuotaExceeded } from '../rules/card.ts';
import { ceilingExceeded, decideConfirmation, lookbackSeconds } from '../rules/multi-stamp.ts';
import type { CardKey } from '../tables/cards.ts';
import { lockRequest, type MultiStampRequest, markConfirmed } from '../tables/multi-stamp-requests.ts';
import { multiStampsThisMonth, readStampUsage } from '../tables/stamp-usage.ts';
import { insertRequestStamps } from '../tables/stamps.ts';
import { useTap } from '../tables/taps.ts';
import { changeCard, type LockedCard } from './change-card.ts';
import { countStamps } from './count-stamps.ts';

/**
 * Confirms a request: its stamps, the vouchers they complete and the use of the tap, together. A confirmation, a cancellation and an
 * expiry at the same time wait for the request's row: the first one wins. Throws NO_PENDING_REQUEST, MULTI_STAMP_EXPIRED,
 * MULTI_STAMP_MONTHLY_CEILING, MONTHLY_LIMIT_REACHED and NFC_TAP_REPLAYED.
 */
export async function confirmMultiStamp(tx: Transaction, confirmation: Confirmation): Promise<Confirmed> {
  return await changeCard(tx, confirmation, (card) => confirm(tx, card, confirmation), { quota: true });
}

async function confirm(tx: Transaction, card: LockedCard | null, confirmation: Confirmation): Promise<Confirmed> {
  const since = new Date(tx.now.getTime() - lookbackSeconds * 1_000);
  const request = await lockRequest(tx, confirmation, { requestId: confirmation.requestId, since });
  if (!card || !request) throw new Problem('NO_PENDING_REQUEST');
  const decision = decideConfirmation(request, tx.now.getTime());
  switch (decision.step) {
    case 'refuse':
      throw new Problem(decision.problem);
    case 'replay':
      return replay(request);
    case 'confirm':
      await checkLimits(tx, card, request);
      if (confirmation.tap && !(await useTap(tx, confirmation.tap))) throw new Problem('NFC_TAP_REPLAYED');
      return await stampCard(tx, card, request, confirmation);
    default:
      return decision satisfies never;
  }
}

const replay = ({ stamps, stampCount, goal, voucherIds }: MultiStampRequest): Confirmed => ({
  stamps,
  stampCount: stampCount ?? 0,
  goal: goal ?? 0,
  voucherIds: voucherIds ?? [],
  replayed: true,
});

async function checkLimits(tx: Transaction, card: LockedCard, { stamps }: MultiStampRequest): Promise<void> {
  const confirmed = await multiStampsThisMonth(tx, card, card.time_zone);
  if (ceilingExceeded(confirmed, stamps, card.settings.multi_stamp.monthly_ceiling)) throw new Problem('MULTI_STAMP_MONTHLY_CEILING');
  const usage = await readStampUsage(tx, card, { collectedAt: tx.now, now: tx.now });
  if (monthlyQuotaExceeded(card, usage, stamps)) throw new Problem('MONTHLY_LIMIT_REACHED');
}

async function stampCard(
  tx: Transaction,
  card: LockedCard,
  { id, stamps }: MultiStampRequest,
  { staffId, reason }: Confirmation,
): Promise<Confirmed> {
  const stampIds = Array.from({ length: stamps }, () => tx.newId());
  const balance = await insertRequestStamps(tx, card, { requestId: id, stampIds, reason });
  const { minted, stampCount } = await countStamps(tx, card, { ids: stampIds, source: 'multi_stamp' }, balance);
  const voucherIds = minted.map((voucher) => voucher.id);
  const { goal } = card;
  await markConfirmed(tx, card, { id, staffId, stampCount, goal, voucherIds });
  card.events.addMultiStamp({ request_id: id, stamps, stamp_count: stampCount, goal });
  return { stamps, stampCount, goal, voucherIds, replayed: false };
}

export interface Confirmation extends CardKey {
  /** Null: the customer's newest request. */
  readonly requestId: string | null;
  /** The member of staff who confirms it. */
  readonly staffId: string;
  /** The approval reason of its stamps. */
  readonly reason: string;
  readonly tap: Tap | null;
}

export interface Confirmed {
  readonly stamps: number;
  readonly stampCount: number;
  readonly goal: number;
  readonly voucherIds: readonly string[];
  /** Whether an earlier confirmation made the stamps. */
  readonly replayed: boolean;
}
