import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { recordVisit } from '../../card/transactions.ts';
import { stampCodeHash, stampCodeOf, type Tap } from '../crypto.ts';
import { codeSource, reuseSeconds } from '../rules.ts';
import {
  type CodeRequester,
  findCodeOfTap,
  findRequestedCode,
  insertCode,
  lockCodeRequester,
  type MintedCode,
  recordPresence,
  useTap,
} from '../tables.ts';

/**
 * Mints a one-time code, or returns an earlier one: the code of the same Idempotency-Key, of the same tap, or the customer's code of the
 * last minute. A tap is used up and verifies the customer's presence. Throws NFC_TAP_REPLAYED.
 */
export async function mintStampCode(tx: Transaction, request: CodeRequest, secret: string): Promise<IssuedCode> {
  const { requester, tap, device } = request;
  const requested = await findReusable(tx, requester);
  if (requested?.sameKey) return issued(secret, requested, true);
  // Before the tag's row: a confirmation locks the card first too.
  if (tap && requester.customerId)
    await recordVisit(tx, { storeId: requester.storeId, customerId: requester.customerId }, tx.now.toISOString());
  if (tap && !(await useTap(tx, tap))) {
    const code = await findCodeOfTap(tx, tap, { device, customerId: requester.customerId });
    if (!code) throw new Problem('NFC_TAP_REPLAYED');
    return issued(secret, code, true);
  }
  if (requested) {
    if (tap) await recordPresence(tx, requested, { tap, device });
    return issued(secret, { ...requested, presence_verified: requested.presence_verified || tap !== null }, true);
  }
  return issued(secret, await insertUnique(tx, request, secret), false);
}

async function findReusable(tx: Transaction, requester: CodeRequester): ReturnType<typeof findRequestedCode> {
  if (requester.customerId === null && requester.keyHash === null) return null;
  await lockCodeRequester(tx, requester);
  return await findRequestedCode(tx, requester, new Date(tx.now.getTime() - reuseSeconds * 1_000));
}

/** Inserts a code. If its hash is taken, which is very rare, tries another id. */
async function insertUnique(tx: Transaction, request: CodeRequest, secret: string): Promise<MintedCode> {
  const { requester, tap, device } = request;
  const source = codeSource(request.claimedSource, tap !== null);
  const expiresAt = new Date(tx.now.getTime() + request.ttlSeconds * 1_000);
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const id = tx.newId();
    const hash = stampCodeHash(secret, stampCodeOf(secret, id));
    const code = await insertCode(tx, { id, hash, requester, source, tap, device, expiresAt });
    if (code) return code;
  }
  throw new Error('five stamp codes in a row were taken: they are not random');
}

const issued = (secret: string, { id, expiresAtMs, presence_verified }: MintedCode, replayed: boolean): IssuedCode => ({
  code: stampCodeOf(secret, id),
  expiresAtMs,
  presenceVerified: presence_verified,
  replayed,
});

interface CodeRequest {
  readonly requester: CodeRequester;
  readonly claimedSource: string | null | undefined;
  readonly tap: Tap | null;
  readonly device: Buffer | null;
  readonly ttlSeconds: number;
}

interface IssuedCode {
  readonly code: string;
  readonly expiresAtMs: number;
  readonly presenceVerified: boolean;
  readonly replayed: boolean;
}
