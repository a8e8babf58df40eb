import type { Transaction } from '@corner/chassis';
import { hashLink } from '../crypto.ts';
import { type DataAccess, type HashedRow, type Link, platformChain, rowAfter, startOf } from '../rules/data-access.ts';
import { appendRows, lockHeads } from '../tables/data-access.ts';

/** Records reads of customers' data, in their order, at the ends of their chains. */
export async function recordDataAccess(tx: Transaction, reads: readonly DataAccess[]): Promise<void> {
  if (reads.length === 0) return;
  const chains = new Set(reads.map(chainOf));
  const heads = new Map<string, Link>((await lockHeads(tx, [...chains].map(startOf))).map((head) => [head.chain, head]));
  const rows = reads.map((read): HashedRow => {
    const last = heads.get(chainOf(read)) ?? startOf(chainOf(read));
    const row = rowAfter(last, read);
    const hash = hashLink(last.hash, row);
    heads.set(row.chain, { chain: row.chain, number: row.number, hash });
    return { ...row, hash };
  });
  await appendRows(tx, rows, [...heads.values()]);
}

const chainOf = ({ storeId }: DataAccess): string => storeId ?? platformChain;
