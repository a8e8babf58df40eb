import type { Transaction } from '@corner/chassis';
import { asPlainLine, Problem } from '@corner/contracts';
import { confirmProfile, newCustomer } from '../../customers/index.ts';
import { findErasure } from '../../erasure/index.ts';
import { findObject } from '../../object/tables.ts';
import { changeObject } from '../../object/transactions/change-object.ts';
import { expiryOf, hasEnded, type Identity, type Kind, placeOf, type Session } from '../rules.ts';
import { closeSession, findBegunSession, findPerson, insertAccount, insertSession, lockSession, moveAccount } from '../tables.ts';

/**
 * `hash`: that of the ID token. `subjectIsId`: the subject is our id of the person. `guest`: the refresh token of the guest that the
 * browser was; null without one.
 */
export interface SignIn extends Identity {
  readonly kind: Kind;
  readonly hash: Buffer;
  readonly subjectIsId: boolean;
  readonly requestId: string | null;
  readonly guest: { readonly id: string; readonly counter: number } | null;
}

export interface SignedIn {
  readonly session: Session;
  /**
   * `joined`: the guest's customer is the account's now; `kept`: it stays the guest's; `ended`: it has no session any more; null without a
   * guest.
   */
  readonly guest: 'joined' | 'kept' | 'ended' | null;
}

/**
 * Begins a session of an account. A new account gets a person: that of the guest, or a new one, and a customer their profile. A repeat of the
 * request gets its session. Throws ID_TOKEN_USED, IDEMPOTENCY_KEY_REUSED for the key of another sign-in, and SESSION_ENDED for a repeat whose
 * session has ended.
 */
export async function signIn(tx: Transaction, wanted: SignIn): Promise<SignedIn> {
  const { kind, requestId, hash, issuer, subject } = wanted;
  const begun = await findBegunSession(tx, { requestId, idTokenHash: hash });
  // A stored response is deleted before its session ends; without this, the key of one sign-in would return its session to another.
  if (begun && !begun.of_id_token) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  if (begun && !begun.of_request) throw new Problem('ID_TOKEN_USED');
  if (begun && hasEnded(begun, tx.now)) throw new Problem('SESSION_ENDED');
  const guest = wanted.guest && (await lockGuest(tx, wanted.guest));
  if (begun) return { session: begun, guest: outcomeOf(guest, begun.person_id) };
  const { personId, isNew } = await personOf(tx, wanted, guest);
  if (kind === 'customer' && (isNew || wanted.email !== null)) await fillProfile(tx, personId, wanted, isNew);
  if (guest && personId === guest.session?.person_id) await closeSession(tx, guest.session.id, tx.now);
  const expiresAt = expiryOf({ kind, guest: false, started_at: tx.now.toISOString() }, tx.now);
  const account = { issuer, subject };
  const session = await insertSession(tx, { id: tx.newId(), kind, personId, account, requestId, idTokenHash: hash, expiresAt });
  if (!session) throw new Problem('ID_TOKEN_USED');
  return { session, guest: outcomeOf(guest, personId) };
}

interface Guest {
  readonly session: Session | null;
  readonly usable: boolean;
}

/** Locks the session of a guest: of two accounts that it signs in to at once, one gets its customer. */
async function lockGuest(tx: Transaction, { id, counter }: NonNullable<SignIn['guest']>): Promise<Guest> {
  const session = await lockSession(tx, id);
  const place = session?.guest ? placeOf(session, counter, { requestId: null, now: tx.now }) : 'ended';
  return { session, usable: place === 'current' || place === 'before' };
}

function outcomeOf(guest: Guest | null, personId: string): SignedIn['guest'] {
  if (guest === null) return null;
  if (guest.session?.person_id === personId) return 'joined';
  return guest.usable ? 'kept' : 'ended';
}

/** Returns the person of an account, and whether the account is new. Of two first sign-ins at once the second waits for the first. */
async function personOf(
  tx: Transaction,
  wanted: SignIn,
  guest: Guest | null,
): Promise<{ readonly personId: string; readonly isNew: boolean }> {
  const known = await findPerson(tx, wanted);
  if (known !== null) return { personId: known, isNew: false };
  // A person who was erased and signs in again is someone new.
  const own = wanted.subjectIsId && !(await findErasure(tx, wanted.subject)) ? wanted.subject : tx.newId();
  const joins = guest?.usable === true && wanted.kind === 'customer' && !wanted.subjectIsId;
  const candidates = joins && guest.session ? [guest.session.person_id, own] : [own];
  for (const personId of candidates) {
    if (await insertAccount(tx, { ...wanted, personId })) return { personId, isNew: true };
    const made = await findPerson(tx, wanted);
    if (made !== null) return { personId: made, isNew: false };
  }
  // The provider whose subjects are our ids has moved to another address.
  if (wanted.subjectIsId && (await moveAccount(tx, { ...wanted, personId: own }))) return { personId: own, isNew: false };
  throw new Problem('ID_TOKEN_INVALID', {
    message: 'The ID token is not accepted. The person that its claim sub names has another account.',
  });
}

/**
 * Creates the profile of a new customer, or fills in missing fields; the customer's own values stay. Confirms an address that they had
 * typed.
 */
async function fillProfile(tx: Transaction, id: string, { name, email, requestId }: SignIn, isNew: boolean): Promise<void> {
  if (!isNew && (await findObject(tx, { kind: 'customer', id, storeId: null }))?.data.email_verified !== false) return;
  await changeObject(tx, {
    kind: 'customer',
    id,
    storeId: null,
    at: null,
    expected: null,
    requestId,
    by: { id, name: null },
    change: (found) => confirmProfile(found ?? newCustomer(id), { name: (name && asPlainLine(name)) || null, email }),
  });
}
