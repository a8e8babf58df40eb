import type { Queries, Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { type NfcKeys, type Tap, verifyProof } from '../nfc/verify-proof.ts';
import { type ProofFields, proofSent } from '../rules/proof-sent.ts';

const Tag = z.object({ ours: z.boolean() });

/**
 * The tap a request proves, at this store; null when it carries no proof and none is asked. It is not used up yet. Throws
 * NFC_PROOF_INCOMPLETE, NFC_PROOF_REQUIRED, NFC_PROOF_INVALID without a word on what is wrong with it, NFC_TAG_WRONG_STORE.
 */
export async function provedTap(
  queries: Queries,
  store: { readonly id: string; readonly nfcEnforced: boolean },
  fields: ProofFields,
  keys: NfcKeys,
): Promise<Tap | null> {
  const proof = proofSent(fields);
  if (proof === 'incomplete') throw new Problem('NFC_PROOF_INCOMPLETE');
  if (proof === 'none') {
    if (store.nfcEnforced) throw new Problem('NFC_PROOF_REQUIRED');
    return null;
  }
  const tap = verifyProof(proof, keys);
  // A tag is read under the version it is written with: keys that leaked and were replaced prove nothing any more.
  const tag =
    tap &&
    (await queries.maybeOne(sql.prepared('tag-tapped', Tag)`
      select store_id = ${store.id} as ours from tag where uid = ${tap.uid} and key_version = ${tap.keyVersion} and not revoked`));
  if (!tag) throw new Problem('NFC_PROOF_INVALID');
  if (!tag.ours) throw new Problem('NFC_TAG_WRONG_STORE');
  return tap;
}

/** Uses up a tap that comes at once: its counter is above any the tag showed here. False for one that was used, or is older than the last. */
export async function useTap(tx: Transaction, { uid, counter }: Tap, at: Date): Promise<boolean> {
  const used = await tx.maybeOne(sql.prepared('use-tap', Tag)`
    with counted as (update tag set last_counter = ${counter} where uid = ${uid} and last_counter < ${counter} returning uid)
    insert into nfc_tap (tag_uid, counter, used_at) select uid, ${counter}, ${at.toISOString()} from counted
    on conflict do nothing returning true as ours`);
  return used !== null;
}

/** Uses up a tap made offline. Those come in any order, so only the tap itself must be new. */
export async function useOfflineTap(tx: Transaction, { uid, counter }: Tap, at: Date): Promise<boolean> {
  const used = await tx.maybeOne(sql.prepared('use-offline-tap', Tag)`
    insert into nfc_tap (tag_uid, counter, used_at) values (${uid}, ${counter}, ${at.toISOString()})
    on conflict do nothing returning true as ours`);
  return used !== null;
}
