import { createHash } from 'node:crypto';
import type { Queries } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/** What staff vouch with. A session is verified already; whether it was revoked is for {@link admitStaff} to say. */
export type StaffCredential =
  | { readonly kind: 'card'; readonly tokenId: string }
  | { readonly kind: 'session'; readonly sessionId: string; readonly staffId: string; readonly storeIds: ReadonlySet<string> };

/** What a card is kept and found by, at one store. Its token is drawn from 128 bits: nobody finds it from the hash. */
export const cardAt = (storeId: string, tokenId: string): string => createHash('sha256').update(`${storeId}\n${tokenId}`).digest('hex');

const Member = z.object({ id: z.string(), refused: z.boolean() });

/**
 * Answers who vouches with a credential at a store. A session says itself where it is good, and the directory takes that back.
 * Throws STAFF_CREDENTIAL_INVALID for one that is unknown, revoked or of another store, without a word on which.
 */
export async function admitStaff(queries: Queries, storeId: string, credential: StaffCredential): Promise<string> {
  if (credential.kind === 'card') {
    const member = await queries.maybeOne(sql.prepared('member-with-card', Member)`
      select id, false as refused from staff where cards @> array[${cardAt(storeId, credential.tokenId)}] limit 1`);
    if (!member) throw new Problem('STAFF_CREDENTIAL_INVALID');
    return member.id;
  }
  const { staffId, sessionId, storeIds } = credential;
  const member = await queries.maybeOne(sql.prepared('member-in-session', Member)`
    select id, ${sessionId} = any(revoked_sessions) or ${storeId} <> all(stores) as refused from staff where id = ${staffId}`);
  if (member?.refused || !storeIds.has(storeId)) throw new Problem('STAFF_CREDENTIAL_INVALID');
  return staffId;
}
