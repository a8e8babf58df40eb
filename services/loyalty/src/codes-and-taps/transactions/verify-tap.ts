import type { Queries } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { type NfcKeys, type Tap, verifyProof } from '../crypto.ts';
import { type ProofFields, readProof } from '../rules.ts';
import { findTag } from '../tables.ts';

/**
 * Verifies a request's proof of a tap at a store; the tap stays unused. Returns null for a request without a proof where the store
 * requires none. Throws NFC_PROOF_INCOMPLETE, NFC_PROOF_REQUIRED, NFC_TAG_WRONG_STORE, and NFC_PROOF_INVALID, which does not reveal the
 * wrong part.
 */
export async function verifyTap(
  queries: Pick<Queries, 'maybeOne'>,
  store: { readonly id: string; readonly nfcEnforced: boolean },
  fields: ProofFields,
  keys: NfcKeys,
): Promise<Tap | null> {
  const proof = readProof(fields);
  if (proof === 'incomplete') throw new Problem('NFC_PROOF_INCOMPLETE');
  if (proof === 'none') {
    if (store.nfcEnforced) throw new Problem('NFC_PROOF_REQUIRED');
    return null;
  }
  const tap = verifyProof(proof, keys);
  // A tag counts only under the key version the programme names for it, so keys that leaked and were replaced prove nothing.
  const tag = tap && (await findTag(queries, tap));
  if (!tag) throw new Problem('NFC_PROOF_INVALID');
  if (tag.store_id !== store.id) throw new Problem('NFC_TAG_WRONG_STORE');
  return tap;
}
