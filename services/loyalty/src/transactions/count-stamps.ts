import { randomInt } from 'node:crypto';
import type { Transaction } from '@corner/chassis';
import { stampApproved, stampPending, voucherMinted } from '@corner/contracts';
import { countsAfterEach, vouchersDue } from '../rules/card.ts';
import { voucherCode } from '../rules/vouchers.ts';
import type { CardBalance } from '../tables/cards.ts';
import { payDebt } from '../tables/debts.ts';
import { type CollectedStamp, insertCollectedStamp } from '../tables/stamps.ts';
import { insertVoucher } from '../tables/vouchers.ts';
import type { LockedCard } from './change-card.ts';

/** Adds a collected stamp to a locked card. An approved one counts and may complete vouchers; another one waits for approval. */
export async function collectStamp(tx: Transaction, card: LockedCard, stamp: CollectedStamp): Promise<Settled> {
  const { id, source } = stamp;
  const balance = await insertCollectedStamp(tx, card, stamp);
  if (stamp.approved) return await countStamps(tx, card, { ids: [id], source }, balance);
  card.events.addStamp(stampPending, { stampId: id, source, stampCount: balance.stampCount, goal: card.goal });
  return { minted: [], stampCount: balance.stampCount };
}

/** Publishes stamps that count from now on, then settles the card. `balance` is the card's balance with them. */
export async function countStamps(tx: Transaction, card: LockedCard, stamps: ApprovedStamps, balance: CardBalance): Promise<Settled> {
  const { ids, ...origin } = stamps;
  const counts = countsAfterEach(balance.stampCount, ids.length);
  for (const [index, stampId] of ids.entries())
    card.events.addStamp(stampApproved, { ...origin, stampId, stampCount: counts[index] ?? 0, goal: card.goal });
  return await settleCard(tx, card, balance);
}

/** Pays the card's debt from its unused stamps, then mints a voucher for each goal they reach, from the oldest ones; the others stay. */
export async function settleCard(tx: Transaction, card: LockedCard, balance: CardBalance): Promise<Settled> {
  if (balance.debt > 0) await payDebt(tx, card);
  const { vouchers, stampCount } = vouchersDue(balance.stampCount, card.goal);
  const minted: MintedVoucher[] = [];
  for (let n = 0; n < vouchers; n += 1) {
    const voucher = { id: tx.newId(), code: voucherCode(randomInt) };
    await insertVoucher(tx, card, voucher);
    card.events.addVoucher(voucherMinted, { ...voucher, reward_title: card.reward_title }, null);
    minted.push(voucher);
  }
  return { minted, stampCount };
}

/** Stamps that count from now on, all from one source. */
export interface ApprovedStamps {
  readonly ids: readonly string[];
  readonly source: string;
  readonly orderId?: string;
}

export interface MintedVoucher {
  readonly id: string;
  readonly code: string;
}

/** The vouchers that were minted, and the stamps left on the card. */
export interface Settled {
  readonly minted: readonly MintedVoucher[];
  readonly stampCount: number;
}
