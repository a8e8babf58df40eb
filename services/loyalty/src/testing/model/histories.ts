import type { Running } from '../running.ts';
import { customerToken, type Shop } from '../shop.ts';
import type { ModelShop } from './shop.ts';

interface Card {
  readonly store_id: string;
  readonly customer_id: string;
  readonly debt: number;
  /** Approved stamps that were not used. */
  readonly free: number;
}

/**
 * Checks that the history of each customer's card adds up to its count at each store, also page by page, names the origin of each stamp and
 * the reason of each loss, and is the card that its customer reads.
 */
export async function wrongHistories(running: Running, { shop, customers }: ModelShop, cards: readonly Card[]): Promise<string[]> {
  const found = await Promise.all(
    customers.map(async (customerId) => {
      const token = await customerToken(running, customerId);
      const entries = await historyOf(shop, token);
      const sum = entries.reduce((total, { change }) => total + change, 0);
      const card = cards.find((one) => one.customer_id === customerId && one.store_id === shop.storeId);
      const balance = (card?.free ?? 0) - (card?.debt ?? 0);
      const [own] = (await shop.get('mine', token)).body.cards;
      const unexplained = entries.filter(
        ({ kind, source, lost_by }) => (kind.startsWith('stamp') && source === null) || (kind === 'stamp_lost') !== (lost_by !== null),
      );
      return [
        ...(sum === balance ? [] : [`the history adds up to ${sum} instead of ${balance}: ${JSON.stringify(entries)}`]),
        ...((own?.stamp_count ?? 0) - (own?.owed ?? 0) === balance
          ? []
          : [`the customer reads ${JSON.stringify(own)} instead of ${balance}`]),
        ...(entries.every(({ at }, n) => n === 0 || at <= (entries[n - 1]?.at ?? '')) ? [] : ['the history is not sorted']),
        ...unexplained.map((entry) => `an entry of a history explains nothing: ${JSON.stringify(entry)}`),
      ];
    }),
  );
  return found.flat();
}

interface HistoryEntry {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly change: number;
  readonly source: string | null;
  readonly lost_by: string | null;
}

async function historyOf(shop: Shop, token: string): Promise<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for (;;) {
    const before = entries.at(-1)?.id;
    const { body } = await shop.get(`mine/${shop.storeId}/history?limit=7${before ? `&before=${encodeURIComponent(before)}` : ''}`, token);
    entries.push(...body.entries);
    if (body.entries.length < 7) return entries;
  }
}
