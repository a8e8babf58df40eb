import { type DataRead, hourlyReads, type Reader } from '@corner/contracts';

/** `storeId`: the store for which it was read; null for the platform. `customerId`: null for everyone's data. */
export interface DataAccess {
  readonly storeId: string | null;
  readonly by: { readonly kind: Reader; readonly id: string };
  readonly customerId: string | null;
  readonly what: DataRead;
  readonly requestId: string | null;
  readonly at: Date;
}

/** Returns the key that reads of one hour share when only one of them is recorded; null for a kind of read that is recorded each time. */
export const hourOf = ({ storeId, by, customerId, what, at }: DataAccess): string | null =>
  hourlyReads.some((hourly) => hourly === what)
    ? [storeId, by.kind, by.id, customerId, what, at.toISOString().slice(0, 'yyyy-mm-ddThh'.length)].join(' ')
    : null;

/** A row of a chain as it is hashed: `at` is ISO 8601 with microseconds, as the database returns it. */
export interface ChainRow {
  readonly chain: string;
  readonly number: number;
  readonly at: string;
  readonly by_kind: Reader;
  readonly by_id: string;
  readonly customer_id: string | null;
  readonly what: DataRead;
  readonly request_id: string | null;
}

export type HashedRow = ChainRow & { readonly hash: string };

export interface Link {
  readonly chain: string;
  readonly number: number;
  readonly hash: string;
}

/** The chain of reads for no store: after those of all stores. */
export const platformChain = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export const storeOfChain = (chain: string): string | null => (chain === platformChain ? null : chain);

export const startOf = (chain: string): Link => ({ chain, number: 0, hash: '0'.repeat(64) });

export const rowAfter = ({ chain, number }: Link, { by, customerId, what, requestId, at }: DataAccess): ChainRow => ({
  chain,
  number: number + 1,
  at: at.toISOString().replace('Z', '000Z'),
  by_kind: by.kind,
  by_id: by.id,
  customer_id: customerId,
  what,
  request_id: requestId,
});

export interface Break {
  readonly number: number;
  readonly at: string | null;
  readonly why: 'missing' | 'changed';
}

/** Checks that rows follow a link of their chain, each on the one before. Returns the last that does, and the fault of the next one. */
export function followChain(
  from: Link,
  rows: readonly HashedRow[],
  hashOf: (before: string, row: ChainRow) => string,
): { readonly last: Link; readonly broken: Break | null } {
  let last = from;
  for (const { hash, ...row } of rows) {
    const number = last.number + 1;
    if (row.number !== number) return { last, broken: { number, at: null, why: 'missing' } };
    if (hashOf(last.hash, row) !== hash) return { last, broken: { number, at: row.at, why: 'changed' } };
    last = { chain: row.chain, number, hash };
  }
  return { last, broken: null };
}
