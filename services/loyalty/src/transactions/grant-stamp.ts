import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { exceededLimit } from '../rules/card.ts';
import { type CardKey, readCardBalance } from '../tables/cards.ts';
import { readStampUsage } from '../tables/stamp-usage.ts';
import { type EarlierStamp, findEarlierStamp, insertGrantedStamp } from '../tables/stamps.ts';
import { findStore } from '../tables/stores.ts';
import { changeCard, type LockedCard } from './change-card.ts';
import { countStamps } from './count-stamps.ts';

/**
 * Grants a stamp at the counter and mints the voucher it completes. A repeat with the same grant key returns the first stamp. Throws
 * STORE_NOT_FOUND, LOYALTY_DISABLED, IDEMPOTENCY_KEY_REUSED, DAILY_LIMIT_REACHED and MONTHLY_LIMIT_REACHED.
 */
export async function grantStamp(tx: Transaction, key: CardKey, grantKey: string | null): Promise<GrantedStamp> {
  return await changeCard(tx, key, (card) => grant(tx, card, key.storeId, grantKey), { quota: true });
}

async function grant(tx: Transaction, card: LockedCard | null, storeId: string, grantKey: string | null): Promise<GrantedStamp> {
  if (!card?.enabled) throw new Problem((await findStore(tx, storeId)) ? 'LOYALTY_DISABLED' : 'STORE_NOT_FOUND');
  const earlier = grantKey === null ? null : await findStampOfGrant(tx, card, grantKey);
  if (earlier) {
    const { stampCount } = await readCardBalance(tx, card);
    return { stampId: earlier.id, stampCount, goal: card.goal, voucherCode: earlier.voucher_code, replayed: true };
  }
  const exceeded = exceededLimit(card, await readStampUsage(tx, card, { collectedAt: tx.now, now: tx.now }), { approved: true });
  if (exceeded) throw new Problem(exceeded);
  const stampId = tx.newId();
  const balance = await insertGrantedStamp(tx, card, { stampId, grantKey });
  const { minted, stampCount } = await countStamps(tx, card, { ids: [stampId], source: 'hub' }, balance);
  return { stampId, stampCount, goal: card.goal, voucherCode: minted[0]?.code ?? null, replayed: false };
}

async function findStampOfGrant(tx: Transaction, { storeId, customerId }: CardKey, grantKey: string): Promise<EarlierStamp | null> {
  const granted = await findEarlierStamp(tx, { storeId, grantKey });
  if (granted && granted.customer_id !== customerId)
    throw new Problem('IDEMPOTENCY_KEY_REUSED', { message: 'idempotency_key: it was used for another customer.' });
  return granted;
}

export interface GrantedStamp {
  readonly stampId: string;
  readonly stampCount: number;
  readonly goal: number;
  /** The code of the voucher the stamp completed; null when it completed none. */
  readonly voucherCode: string | null;
  /** Whether an earlier request granted the stamp. */
  readonly replayed: boolean;
}
