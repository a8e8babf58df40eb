import { hash } from 'node:crypto';
import { Problem } from '@corner/contracts';
import type { Request, Response } from 'express';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import type { Granted } from '../openid/provider.ts';
import { hostCookie } from './cookies.ts';
import type { IdentifyPerson, Person } from './person.ts';
import type { Revocations } from './revocations.ts';
import { createSeal } from './seal.ts';
import type { Tokens } from './tokens.ts';

/** Seconds a session lasts at most, however often its token is refreshed. */
export const longestSeconds = 12 * 3600;
const refreshAheadMs = 60_000;
/**
 * Both in milliseconds: how long a refreshed token is kept for requests that still carry the old one, and how long a failed refresh is not
 * repeated.
 */
const keptMs = 60_000;
const failedMs = 5_000;
/** Renewals of one person in a minute, at most: the platform counts all people of this server as one caller. */
const mostRenewals = 60;

const Session = z.object({
  id: z.string(),
  token: z.string(),
  refresh: z.string().optional(),
  name: z.string().optional(),
  until: z.number(),
  /** {@link Revocations.known} when the token was requested. */
  known: z.number(),
});
type Session = z.output<typeof Session>;

export interface SignedIn extends Person {
  readonly displayName: string;
  /** When the session ends: with the token, unless it can be refreshed. */
  readonly endsAt: Date;
  untilRevoked(response: Response): AbortSignal;
}

/** Sessions in encrypted cookies. The server stores none of them, only which have ended early. */
export interface Sessions {
  /** Requests the tokens, and sets the cookie. Throws WRONG_TOKEN_TYPE for a token of a person who may not use the console. */
  begin(response: Response, grant: () => Promise<Granted>): Promise<void>;
  /**
   * Returns the person of a request, and refreshes their token when it is about to end or their rights may have changed. Throws
   * UNAUTHENTICATED without a session, and UPSTREAM_UNAVAILABLE when its token is no longer valid and the issuer does not reply.
   */
  of(request: Request, response: Response): Promise<SignedIn>;
  /**
   * Replaces the token now, and returns the person with their current rights. Throws UNAUTHENTICATED when the session cannot be refreshed,
   * RATE_LIMITED, and UPSTREAM_UNAVAILABLE.
   */
  renew(request: Request, response: Response): Promise<SignedIn>;
  /**
   * Ends the session at every replica, clears the cookie, and tries to revoke the refresh token. Throws UPSTREAM_UNAVAILABLE when the other
   * replicas may not have learned of it.
   */
  end(request: Request, response: Response): Promise<void>;
}

export function createSessions({ keys, identify, tokens, revocations, now, newId }: SessionsOptions): Sessions {
  const cookie = hostCookie('corner', 'Strict');
  const seal = createSeal(keys, 'corner-session');
  const refreshing = createRefreshing(tokens, () => revocations.known);
  const countRenewal = createRenewalCount();

  const write = async (response: Response, session: Session, endsAt: Date) =>
    cookie.set(response, await seal.seal(session), Math.max(1, Math.ceil((endsAt.getTime() - now().getTime()) / 1000)));

  const signedInBy = (session: Session, person: Person): SignedIn => ({
    ...person,
    displayName: person.name ?? session.name ?? person.subject,
    endsAt: endOf(session, person),
    untilRevoked: (response) => revocations.untilRevoked({ ...session, person: person.subject }, response),
  });

  /**
   * Gets a token that reflects the changes known at `atLeast`. Returns null when the session has no refresh token; ends it when that is
   * refused.
   */
  const refresh = async (session: Session, response: Response, atLeast: number): Promise<SignedIn | null> => {
    if (session.refresh === undefined) return null;
    const refreshed = await refreshing(session.refresh, atLeast);
    if (!refreshed) {
      await revocations.end(session.id).catch(() => {}); // It keeps retrying.
      throw ended();
    }
    const next = { ...session, ...refreshed.granted, known: refreshed.known };
    const person = await identify(next.token);
    const changedAt = revocations.changedAt(person.subject);
    if (changedAt > next.known) return await refresh(next, response, changedAt);
    const signedIn = signedInBy(next, person);
    await write(response, next, signedIn.endsAt);
    return signedIn;
  };

  const opened = async (request: Request): Promise<Session> => {
    const session = await seal.open(Session, cookie.read(request));
    if (!session || session.until <= now().getTime()) throw new Problem('UNAUTHENTICATED', { message: 'Sign in first.' });
    if (revocations.hasEnded(session.id)) throw ended();
    return session;
  };

  return {
    async begin(response, grant) {
      const { known } = revocations;
      const granted = await grant();
      const person = await identify(granted.token);
      const session = { ...granted, id: newId(), known, until: now().getTime() + longestSeconds * 1000 };
      await write(response, session, endOf(session, person));
    },
    async of(request, response) {
      const session = await opened(request);
      const person = await identify(session.token).catch((error: unknown) => {
        if (session.refresh !== undefined && isRefusal(error)) return null;
        throw error;
      });
      const changedAt = person === null ? 0 : revocations.changedAt(person.subject);
      const leftMs = person === null || changedAt > session.known ? 0 : person.expiresAt.getTime() - now().getTime();
      if (person && leftMs > refreshAheadMs) return signedInBy(session, person);
      const refreshed = await refresh(session, response, changedAt).catch((error: unknown) => {
        if (leftMs > 0 && !isRefusal(error)) return null; // The current token remains valid until it ends, or until the issuer is back.
        throw error;
      });
      if (refreshed) return refreshed;
      if (person && leftMs > 0) return signedInBy(session, person);
      throw ended();
    },
    async renew(request, response) {
      const session = await opened(request);
      countRenewal(decodeJwt(session.token).sub ?? '');
      const renewed = await refresh(session, response, Number.POSITIVE_INFINITY);
      if (!renewed) throw ended();
      return renewed;
    },
    async end(request, response) {
      const session = await seal.open(Session, cookie.read(request));
      cookie.clear(request, response);
      if (!session) return;
      const revoked = session.refresh === undefined ? null : tokens.revoke(session.refresh);
      const [ended] = await Promise.allSettled([revocations.end(session.id), revoked]);
      if (ended.status === 'rejected') throw ended.reason;
    },
  };
}

const isRefusal = (error: unknown): boolean => error instanceof Problem && error.code === 'UNAUTHENTICATED';
const ended = (): Problem => new Problem('UNAUTHENTICATED', { message: 'The session has ended: sign in again.' });

function createRenewalCount(): (person: string) => void {
  const counts = new Map<string, number>();
  return (person) => {
    const count = counts.get(person) ?? 0;
    if (count >= mostRenewals)
      throw new Problem('RATE_LIMITED', { message: 'The session was renewed often: wait.', retryAfterSeconds: 60 });
    if (count === 0) setTimeout(() => counts.delete(person), 60_000).unref();
    counts.set(person, count + 1);
  };
}

interface Refreshed {
  readonly granted: Granted;
  readonly known: number;
}

type Refresh = (token: string, atLeast: number) => Promise<Refreshed | null>;

/**
 * Refreshes once for all requests that carry the same token: it may be accepted only once. If the shared refresh began too early for a
 * request, that request refreshes its result. Null: the token is refused for good.
 */
function createRefreshing(tokens: Pick<Tokens, 'refresh'>, known: () => number): Refresh {
  const refreshed = new Map<string, { readonly known: number; readonly granted: Promise<Granted | null> }>();
  const keyOf = (token: string): string => hash('sha256', token, 'base64');

  const ask = (token: string) => {
    const key = keyOf(token);
    const asked = { known: known(), granted: tokens.refresh(token) };
    refreshed.set(key, asked);
    const forgetAfter = (ms: number) => void setTimeout(() => refreshed.get(key) === asked && refreshed.delete(key), ms).unref();
    asked.granted.then(
      () => forgetAfter(keptMs),
      () => forgetAfter(failedMs),
    );
    return asked;
  };
  return async function refresh(token, atLeast) {
    const before = refreshed.get(keyOf(token));
    if (before && before.known < atLeast) {
      const granted = await before.granted.catch(() => undefined);
      if (granted === null) return null;
      if (granted?.refresh !== undefined && granted.refresh !== token) return await refresh(granted.refresh, atLeast);
      // Another request has begun a refresh meanwhile.
      if (refreshed.get(keyOf(token)) !== before) return await refresh(token, atLeast);
    }
    const asked = before && before.known >= atLeast ? before : ask(token);
    const granted = await asked.granted;
    return granted && { granted, known: asked.known };
  };
}

const endOf = ({ refresh, until }: Session, { expiresAt }: Person): Date =>
  new Date(refresh === undefined ? Math.min(expiresAt.getTime(), until) : until);

interface SessionsOptions {
  readonly keys: readonly Uint8Array[];
  readonly identify: IdentifyPerson;
  readonly tokens: Pick<Tokens, 'refresh' | 'revoke'>;
  readonly revocations: Revocations;
  readonly now: () => Date;
  readonly newId: () => string;
}
