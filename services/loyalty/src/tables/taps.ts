import type { Queries, Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

/** One tap of a tag. */
export interface TapKey {
  readonly uid: string;
  readonly counter: number;
}

const Tag = z.object({ store_id: z.string() });

/** Finds a tag by its UID and the key version it was written with. Null for a revoked tag, and for one that has another version by now. */
export const findTag = async (
  queries: Pick<Queries, 'maybeOne'>,
  { uid, keyVersion }: { readonly uid: string; readonly keyVersion: string },
): Promise<z.output<typeof Tag> | null> =>
  await queries.maybeOne(sql.prepared('find-tag', Tag)`
    select store_id from tag where uid = ${uid} and key_version = ${keyVersion} and not revoked`);

const Used = z.object({ used: z.boolean() });

/** Uses up an online tap. Returns false when it was used, or when its counter is not above the tag's last one. */
export async function useTap(tx: Transaction, { uid, counter }: TapKey): Promise<boolean> {
  const tap = await tx.maybeOne(sql.prepared('use-tap', Used)`
    with counted as (update tag set last_counter = ${counter} where uid = ${uid} and last_counter < ${counter} returning uid)
    insert into nfc_tap (tag_uid, counter, used_at) select uid, ${counter}, ${tx.now.toISOString()} from counted
    on conflict do nothing returning true as used`);
  return tap !== null;
}

/** Uses up an offline tap. Offline taps arrive in any order, so the counter need not rise. Returns false when the tap was used. */
export async function useOfflineTap(tx: Transaction, { uid, counter }: TapKey): Promise<boolean> {
  const tap = await tx.maybeOne(sql.prepared('use-offline-tap', Used)`
    insert into nfc_tap (tag_uid, counter, used_at) values (${uid}, ${counter}, ${tx.now.toISOString()})
    on conflict do nothing returning true as used`);
  return tap !== null;
}
