import type { Transaction } from '@corner/chassis';
import { stampPending } from '@corner/contracts';
import { type CollectedStamp, insertCollectedStamp } from '../tables/stamps.ts';
import type { LockedCard } from './change-card.ts';
import { countStamps, type Settled } from './count-stamps.ts';

/** Adds a collected stamp to a locked card. An approved one counts and may complete vouchers; another one waits for approval. */
export async function collectStamp(tx: Transaction, card: LockedCard, stamp: CollectedStamp): Promise<Settled> {
  const { id, source } = stamp;
  const balance = await insertCollectedStamp(tx, card, stamp);
  if (stamp.approved) return await countStamps(tx, card, { ids: [id], source }, balance);
  card.events.addStamp(stampPending, { stampId: id, source, stampCount: balance.stampCount, goal: card.goal });
  return { minted: [], stampCount: balance.stampCount };
}
