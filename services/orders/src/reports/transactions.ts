import type { Transaction } from '@corner/chassis';
import { type DayStatement, hashedTextOf, sumsOfBook } from '@corner/contracts';
import { type BookSigner, hashText } from './crypto.ts';
import { bookRows } from './rules/book.ts';
import { findPayoutsOfDay, readBookContents, type UnprovenDay, writeStatement } from './tables/books.ts';

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
