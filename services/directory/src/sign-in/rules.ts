import type { Role } from '@corner/contracts';

export type Kind = 'customer' | 'team';

const day = 86_400;
/** Seconds for which a session may be unused, and those that it lasts at most; null for as long as it is used. */
const lifetimes = {
  customer: { unused: 90 * day, most: 365 * day },
  // A guest has only the refresh token: without it their stamps are lost.
  guest: { unused: 365 * day, most: null },
  team: { unused: day / 2, most: 7 * day },
} as const;
/** Seconds in which the refresh token before the current one is accepted: a lost response, two tabs, two replicas of a server. */
const graceSeconds = 60;

export const accessSeconds = 900;

/**
 * `guest`: a person without an account. `counter`: the number of the current refresh token, from 1; `refreshed_at`: when it was made;
 * `last_request`: the request that made it, by its Idempotency-Key, null without one.
 */
export interface Session {
  readonly id: string;
  readonly kind: Kind;
  readonly person_id: string;
  readonly guest: boolean;
  readonly counter: number;
  readonly started_at: string;
  readonly refreshed_at: string;
  readonly last_request: string | null;
  readonly expires_at: string;
}

export function expiryOf({ kind, guest, started_at }: Pick<Session, 'kind' | 'guest' | 'started_at'>, now: Date): Date {
  const { unused, most } = lifetimes[guest ? 'guest' : kind];
  const unusedUntil = now.getTime() + unused * 1000;
  return new Date(most === null ? unusedUntil : Math.min(unusedUntil, Date.parse(started_at) + most * 1000));
}

export const hasEnded = ({ expires_at }: Pick<Session, 'expires_at'>, now: Date): boolean => Date.parse(expires_at) <= now.getTime();

/**
 * Classifies a refresh token: `current`, which moves the session on; `before`, whose successor is returned again; `ended`; or `reused`: two
 * clients have it, so the session must end.
 */
export function placeOf(
  session: Session,
  counter: number,
  { requestId, now }: { readonly requestId: string | null; readonly now: Date },
): 'current' | 'before' | 'ended' | 'reused' {
  if (hasEnded(session, now)) return 'ended';
  // A higher number was made before the database was restored to an earlier moment.
  if (counter >= session.counter) return 'current';
  const isRepeat = requestId !== null && requestId === session.last_request;
  const isRecent = now.getTime() - Date.parse(session.refreshed_at) <= graceSeconds * 1000;
  return counter === session.counter - 1 && (isRepeat || isRecent) ? 'before' : 'reused';
}

export const writeRefreshToken = ({ id, counter }: Pick<Session, 'id' | 'counter'>): string => `${id}.${counter}`;

export function readRefreshToken(value: string): { readonly id: string; readonly counter: number } {
  const [id = '', counter] = value.split('.');
  return { id, counter: Number(counter) };
}

/**
 * The claims of an ID token that are read. `typ` is Keycloak’s: `ID`, and `Bearer` in an access token, whose header is that of an ID token.
 * `events` is a claim of logout tokens.
 */
export interface IdTokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string | readonly string[];
  readonly azp?: unknown;
  readonly typ?: unknown;
  readonly events?: unknown;
  readonly name?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly locale?: unknown;
}

export function idTokenFault(
  { typ }: { readonly typ?: string | undefined },
  { sub, aud, azp, typ: use, events }: IdTokenClaims,
  clients: readonly { readonly client_ids: readonly string[]; readonly typ?: Kind | undefined; readonly subject_is_id: boolean }[],
  kind: Kind,
): string | null {
  if ((typ !== undefined && typ.toUpperCase() !== 'JWT') || (use !== undefined && use !== 'ID') || events !== undefined)
    return 'It is a token of another kind.';
  if (typeof sub !== 'string' || !isSubject.test(sub)) return 'Its claim sub is missing or wrong.';
  const audiences = [aud].flat();
  const client = clients.find(({ client_ids }) => client_ids.some((id) => audiences.includes(id)));
  if (!client) return 'It is for a client that does not sign people in here.';
  // With several audiences, azp names the client that requested it.
  const isForClient = azp === undefined ? audiences.length === 1 : client.client_ids.some((id) => id === azp);
  if (!isForClient) return 'Its claim azp is missing or names another client.';
  if (client.typ !== undefined && client.typ !== kind) return `Its client signs in as ${client.typ}.`;
  if (client.subject_is_id && !uuid.test(sub)) return 'Its claim sub is not a UUID, and it must hold our id of the person.';
  return null;
}

/** A text column must keep a subject unchanged, so that two subjects do not become one. */
const isSubject = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A person at a provider, with the ID token's values for a new profile. `email`: null unless the provider has verified it. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
}

export function identityOf({ iss, sub, name, email, email_verified }: IdTokenClaims): Identity {
  return {
    issuer: iss,
    subject: sub,
    name: typeof name === 'string' ? nameIn(name) : null,
    // Some write it as a text.
    email: String(email_verified) === 'true' && typeof email === 'string' && isAddress.test(email) ? email : null,
  };
}

const isAddress = /^[^\s\p{Cc}\p{Cs}@]{1,64}@[^\s\p{Cc}\p{Cs}@]{1,189}$/u;

/** A name of a provider may have any character: those that no text may hold, or that break a line, become spaces. */
const nameIn = (text: string): string | null =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 120)
    .toWellFormed()
    .trim() || null;

export interface StoreRole {
  readonly id: string;
  readonly role: Role;
}

export interface Claims {
  readonly sub: string;
  readonly typ: 'customer' | 'merchant' | 'staff' | 'operator' | 'partner';
  readonly name?: string;
  readonly scope?: string;
  readonly stores: readonly StoreRole[];
}

/** Stores of one token, at most: a token travels in a header. */
const mostStores = 80;

/**
 * Returns the claims of a person. One of the team is an operator where the deployment lists them; a merchant with a store of their own, and
 * when they work nowhere, so that a newcomer can create a store; staff otherwise. `operator` is the scope of an operator; null for anyone
 * else.
 */
export function claimsOf(
  { kind, person_id }: Pick<Session, 'kind' | 'person_id'>,
  { name, stores }: { readonly name: string | null; readonly stores: readonly StoreRole[] },
  operator: string | null,
): Claims & { readonly typ: Exclude<Claims['typ'], 'partner'>; readonly scope: string } {
  const about = { sub: person_id, ...(name === null ? {} : { name }) };
  if (kind === 'customer') return { ...about, typ: 'customer', scope: 'customer:read', stores: [] };
  if (operator !== null) return { ...about, typ: 'operator', scope: operator, stores: [] };
  const isMerchant = stores.length === 0 || stores.some(({ role }) => role === 'owner');
  return { ...about, typ: isMerchant ? 'merchant' : 'staff', scope: 'merchant:read', stores: stores.slice(0, mostStores) };
}
