import { handleRpc } from '@corner/chassis';
import { verifyDataAccess } from '@corner/contracts';
import type { Context } from '../context.ts';
import { hashLink } from './crypto.ts';
import { type Break, followChain, type HashedRow, type Link, startOf, storeOfChain } from './rules.ts';
import { readPart } from './tables.ts';

const most = 2_000;

/** Checks the next part of the record: rows of one chain, and at its end whether that is the end that the chain names. */
export const handleVerifyDataAccess = handleRpc(verifyDataAccess, async ({ after, heads }, { database }: Context) => {
  const part = await readPart(database, { chain: after?.chain ?? null, number: after?.number ?? null }, most);
  if (!part) return { part: null, found: [], next: null };
  const { chain, head } = part;
  const from = after && after.number !== null ? { chain, number: after.number, hash: after.hash } : startOf(chain);
  // A row that someone changed may hold any value: it does not fit its hash.
  const rows = part.rows as readonly HashedRow[];
  const { last, broken: inside } = followChain(from, rows, hashLink);
  const ended = inside !== null || rows.length < most;
  const broken = inside ?? (ended ? endOf(last, head) : null);
  return {
    part: { store_id: storeOfChain(chain), rows: last.number, head: last.hash, broken, ended },
    found: heads.filter((kept) => rows.some(({ number, hash }) => hash === kept && number <= last.number)),
    next: ended ? { chain, number: null, hash: '' } : last,
  };
});

function endOf(last: Link, head: Link | null): Break | null {
  if (head && head.number === last.number && head.hash === last.hash) return null;
  const isCut = head !== null && head.number > last.number;
  return { number: isCut ? last.number + 1 : last.number, at: null, why: isCut ? 'missing' : 'changed' };
}
