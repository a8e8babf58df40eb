import type { Transaction } from '@corner/chassis';
import { type CardKey, setVisit } from '../tables/cards.ts';
import { lockCard } from './lock-card.ts';

/** Records that a customer did something at a store at a given time (ISO 8601), where nothing else of the card changes. */
export async function recordVisit(tx: Transaction, key: CardKey, at: string): Promise<void> {
  await lockCard(tx, key);
  await setVisit(tx, key, at);
}
