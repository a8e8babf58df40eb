import type { Transaction } from '@corner/chassis';
import { type DayStatement, hashedTextOf, sumsOfBook } from '@corner/contracts';
import { type BookSigner, hashText, sealTipList } from './crypto.ts';
import { bookRows } from './rules/book.ts';
import { findPayoutsOfDay, readBookContents, type UnprovenDay, writeStatement } from './tables/books.ts';
import { findTipList, findTipLists, insertTipList, type TipList } from './tables/tip-lists.ts';

/**
 * Signs a closed day as the next one of its store's chain. Returns false when another replica has done so, or the day is no longer closed.
 * Safe to run twice at once: a day has one statement.
 */
export async function proveDay(tx: Transaction, of: UnprovenDay, signer: BookSigner, mode: string): Promise<boolean> {
  const payout_ids = await findPayoutsOfDay(tx, of, mode);
  const contents = await readBookContents(tx, { ...of, payout_ids });
  if (!contents) return false;
  const rows = bookRows(contents, of.currency);
  const { store_id, store, day, currency, number, begins_at, ends_at, before } = of;
  const statement: DayStatement = {
    ...({ v: 1, store_id, store, date: day, currency, number, begins_at, ends_at, closed_at: tx.now.toISOString() } as const),
    before: before === null ? null : hashText(before),
    sums: sumsOfBook(rows),
    rows: rows.map((row) => hashText(hashedTextOf(row))),
  };
  return await writeStatement(tx, of, { payout_ids, proof: signer.seal(JSON.stringify(statement)) });
}

export interface TipListRequest {
  /** Derived from the request: a repeat returns the list that it entered. */
  readonly id: string;
  readonly storeId: string;
  readonly day: string;
  readonly by: { readonly id: string; readonly name: string | null };
  readonly shares: readonly { readonly worker: string; readonly weight: number }[];
}

/** Enters and signs the next version of a day's list. */
export async function enterTipList(
  tx: Transaction,
  { id, storeId, day, by, shares }: TipListRequest,
  signer: BookSigner,
): Promise<TipList> {
  const keyed = shares.map((share) => ({ key: tx.newId(), ...share }));
  for (;;) {
    const entered = await findTipList(tx, id);
    if (entered) return entered;
    const [last] = await findTipLists(tx, storeId, [day]);
    const version = (last?.version ?? 0) + 1;
    const proof = sealTipList(signer, storeId, version, { day, shares: keyed });
    const list = { id, storeId, day, version, shares: keyed, entered_by_id: by.id, entered_by_name: by.name, proof };
    const written = await insertTipList(tx, list);
    // Otherwise a concurrent request took the version.
    if (written) return written;
  }
}
