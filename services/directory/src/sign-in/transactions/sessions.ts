import type { Transaction } from '@corner/chassis';
import { type DirectoryObject, Problem } from '@corner/contracts';
import { newCustomer } from '../../customers/index.ts';
import { changeObject } from '../../object/transactions/change-object.ts';
import { expiryOf, hasEnded, placeOf, type Session } from '../rules.ts';
import { advanceSession, closeSession, findBegunSession, insertSession, lockSession } from '../tables.ts';

/**
 * Moves a session on to its next refresh token. Returns the session with it, `ended` for a token that is not accepted, and `reused` where an
 * older token has ended the session just now.
 */
export async function refreshSession(
  tx: Transaction,
  { id, counter, requestId }: { readonly id: string; readonly counter: number; readonly requestId: string | null },
): Promise<Session | 'ended' | 'reused'> {
  const session = await lockSession(tx, id);
  if (!session) return 'ended';
  const place = placeOf(session, counter, { requestId, now: tx.now });
  if (place === 'before') return session;
  if (place === 'current') return await advanceSession(tx, { id, counter: counter + 1, requestId, expiresAt: expiryOf(session, tx.now) });
  if (place === 'reused') await closeSession(tx, id, tx.now);
  return place;
}

/** Milliseconds in which a repeat gets the guest that its key has made: the key alone proves the caller. */
const repeatMs = 600_000;

/** Makes a customer without an account, and their session. Throws IDEMPOTENCY_KEY_REUSED for a key whose guest has been used since. */
export async function createGuest(
  tx: Transaction,
  { language, requestId }: { readonly language: DirectoryObject<'customer'>['language']; readonly requestId: string | null },
): Promise<Session> {
  const made = requestId === null ? null : await findBegunSession(tx, { requestId, idTokenHash: null });
  if (made) {
    // The session of a guest who signed in has ended, and their customer is the account’s.
    if (made.counter === 1 && !hasEnded(made, tx.now) && tx.now.getTime() - Date.parse(made.started_at) < repeatMs) return made;
    throw new Problem('IDEMPOTENCY_KEY_REUSED', {
      message: 'The guest that this key has made is in use; send a fresh key for another one.',
    });
  }
  const id = tx.newId();
  await changeObject(tx, {
    kind: 'customer',
    id,
    storeId: null,
    at: null,
    expected: null,
    requestId,
    by: { id, name: null },
    change: () => ({ ...newCustomer(id), language }),
  });
  const kind = 'customer';
  const expiresAt = expiryOf({ kind, guest: true, started_at: tx.now.toISOString() }, tx.now);
  const begin = { id: tx.newId(), kind, personId: id, account: null, requestId, idTokenHash: null, expiresAt } as const;
  const session = await insertSession(tx, begin);
  // Another replica runs the same request: it has made the guest.
  if (!session) throw new Problem('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
  return session;
}
