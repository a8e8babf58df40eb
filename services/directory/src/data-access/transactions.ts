import type { RecordRead, Transaction } from '@corner/chassis';
import { hashLink } from './crypto.ts';
import { type DataAccess, type HashedRow, hourOf, type Link, platformChain, rowAfter, startOf, storeOfChain } from './rules.ts';
import { appendRows, lockHeads, readHourly } from './tables.ts';

/**
 * Records reads of customers' data, in their order, at the ends of their chains. Reads of a kind that counts once an hour are left out when the
 * chain has one of that hour: the ends are locked, so no other can be added meanwhile.
 */
export async function recordDataAccess(tx: Transaction, reads: readonly DataAccess[]): Promise<void> {
  if (reads.length === 0) return;
  const chains = new Set(reads.map(chainOf));
  const heads = new Map<string, Link>((await lockHeads(tx, [...chains].map(startOf))).map((head) => [head.chain, head]));
  const hourly = reads.filter((read) => hourOf(read) !== null);
  const known = new Set(hourly.length === 0 ? [] : (await readHourly(tx, hourly)).map(hourOfRow));
  const isNew = (read: DataAccess): boolean => {
    const hour = hourOf(read);
    if (hour === null) return true;
    return !known.has(hour) && Boolean(known.add(hour));
  };
  const rows = reads.filter(isNew).map((read): HashedRow => {
    const last = heads.get(chainOf(read)) ?? startOf(chainOf(read));
    const row = rowAfter(last, read);
    const hash = hashLink(last.hash, row);
    heads.set(row.chain, { chain: row.chain, number: row.number, hash });
    return { ...row, hash };
  });
  if (rows.length > 0) await appendRows(tx, rows, [...heads.values()]);
}

const hourOfRow = (row: Awaited<ReturnType<typeof readHourly>>[number]): string | null =>
  hourOf({
    storeId: storeOfChain(row.chain),
    by: { kind: row.by_kind, id: row.by_id },
    customerId: row.customer_id,
    what: row.what,
    requestId: null,
    at: new Date(row.at),
  });

/** Records here what an operator of this service was shown, since the service does not consume its own events. */
export const recordOperatorRead: RecordRead = (tx, { by, what, shown }) =>
  recordDataAccess(
    tx,
    shown.flatMap(({ store_id: storeId = null, customer_id: customerId }) =>
      customerId ? [{ storeId, by, customerId, what, requestId: null, at: tx.now }] : [],
    ),
  );

const chainOf = ({ storeId }: DataAccess): string => storeId ?? platformChain;
