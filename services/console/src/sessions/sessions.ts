import { hash } from 'node:crypto';
import { Problem } from '@corner/contracts';
import type { Request, Response } from 'express';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import type { Granted } from '../openid/provider.ts';
import { hostCookie } from './cookies.ts';
import type { IdentifyPerson, Person } from './person.ts';
import { createSeal } from './seal.ts';
import type { Tokens } from './tokens.ts';

/** Seconds a session lasts at most, however often its token is refreshed. */
const longestSeconds = 12 * 3600;
/** Milliseconds before its end in which a token is refreshed. */
const refreshAheadMs = 60_000;
/** Milliseconds for which a refreshed token is kept for requests that still carry the old one. */
const keptMs = 60_000;
/** Milliseconds for which a failed refresh is not repeated. */
const failedMs = 5_000;
/** Renewals of one person in a minute, at most: the platform counts all people of this server as one caller. */
const mostRenewals = 60;

const Session = z.object({
  token: z.string(),
  refresh: z.string().optional(),
  name: z.string().optional(),
  /** When the session ends at the latest, in milliseconds. */
  until: z.number(),
});
type Session = z.output<typeof Session>;

/** A person with their session. */
export interface SignedIn extends Person {
  readonly displayName: string;
  /** When the session ends: with the token, unless it can be refreshed. */
  readonly endsAt: Date;
}

/** Sessions in encrypted cookies. The server keeps none of them. */
export interface Sessions {
  /** Sets the cookie. Throws WRONG_TOKEN_TYPE for a token of a person who has no place here. */
  begin(response: Response, granted: Granted): Promise<void>;
  /**
   * Returns the person of a request, and refreshes their token when it is about to end. Throws UNAUTHENTICATED without a session, and
   * UPSTREAM_UNAVAILABLE when its token has ended and the other side does not reply.
   */
  of(request: Request, response: Response): Promise<SignedIn>;
  /**
   * Replaces the token now, and returns the person with what they may do by then. Throws UNAUTHENTICATED when the session cannot be refreshed,
   * RATE_LIMITED, and UPSTREAM_UNAVAILABLE.
   */
  renew(request: Request, response: Response): Promise<SignedIn>;
  /** Clears the cookie, and tries to revoke the refresh token. */
  end(request: Request, response: Response): Promise<void>;
}

export function createSessions({ keys, identify, tokens, now }: SessionsOptions): Sessions {
  const cookie = hostCookie('corner', 'Strict');
  const seal = createSeal(keys, 'corner-session');
  const refreshing = createRefreshing(tokens);
  const countRenewal = createRenewalCount();

  const write = async (response: Response, session: Session, endsAt: Date) =>
    cookie.set(response, await seal.seal(session), Math.max(1, Math.ceil((endsAt.getTime() - now().getTime()) / 1000)));

  /** Returns null when the session cannot be refreshed, or is refused for good. */
  const refresh = async (session: Session, response: Response, how: Refresh): Promise<SignedIn | null> => {
    const granted = session.refresh === undefined ? null : await how(session.refresh);
    if (!granted) return null;
    const next = { ...session, ...granted };
    const signedIn = signedInBy(next, await identify(next.token));
    await write(response, next, signedIn.endsAt);
    return signedIn;
  };

  const opened = async (request: Request): Promise<Session> => {
    const session = await seal.open(Session, cookie.read(request));
    if (!session || session.until <= now().getTime()) throw new Problem('UNAUTHENTICATED', { message: 'Sign in first.' });
    return session;
  };

  return {
    async begin(response, granted) {
      const person = await identify(granted.token);
      const session = { ...granted, until: now().getTime() + longestSeconds * 1000 };
      await write(response, session, endOf(session, person));
    },
    async of(request, response) {
      const session = await opened(request);
      const person = await identify(session.token).catch((error: unknown) => {
        if (session.refresh !== undefined && error instanceof Problem && error.code === 'UNAUTHENTICATED') return null;
        throw error;
      });
      const leftMs = person === null ? 0 : person.expiresAt.getTime() - now().getTime();
      if (person && leftMs > refreshAheadMs) return signedInBy(session, person);
      const refreshed = await refresh(session, response, refreshing.once).catch((error: unknown) => {
        if (leftMs > 0) return null; // The token serves until it ends, or the other side is back.
        throw error;
      });
      if (refreshed) return refreshed;
      if (person && leftMs > 0) return signedInBy(session, person);
      throw ended();
    },
    async renew(request, response) {
      const session = await opened(request);
      countRenewal(decodeJwt(session.token).sub ?? '');
      const renewed = await refresh(session, response, refreshing.again);
      if (!renewed) throw ended();
      return renewed;
    },
    async end(request, response) {
      const session = await seal.open(Session, cookie.read(request));
      cookie.clear(request, response);
      if (session?.refresh !== undefined) await tokens.revoke(session.refresh).catch(() => {});
    },
  };
}

const ended = (): Problem => new Problem('UNAUTHENTICATED', { message: 'The session has ended: sign in again.' });

/** Returns the function that counts a renewal of a person. It throws RATE_LIMITED for one too many. */
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

type Refresh = Tokens['refresh'];

/** Refreshes once for all requests that carry the same token: it may be accepted only once. */
function createRefreshing(tokens: Pick<Tokens, 'refresh'>): { readonly once: Refresh; readonly again: Refresh } {
  const refreshed = new Map<string, Promise<Granted | null>>();
  const keyOf = (token: string): string => hash('sha256', token, 'base64');

  const refresh: Refresh = (token) => {
    const key = keyOf(token);
    const asked = tokens.refresh(token);
    refreshed.set(key, asked);
    const forgetAfter = (ms: number) => void setTimeout(() => refreshed.get(key) === asked && refreshed.delete(key), ms).unref();
    asked.then(
      () => forgetAfter(keptMs),
      () => forgetAfter(failedMs),
    );
    return asked;
  };
  /** A token that was refreshed before this is called is older than the call: its successor is refreshed. */
  const again: Refresh = async (token) => {
    const before = await refreshed.get(keyOf(token))?.catch(() => undefined);
    if (before === null) return null; // It was refused for good.
    const next = before?.refresh ?? token;
    return await (next === token ? refresh(token) : again(next));
  };
  return { once: (token) => refreshed.get(keyOf(token)) ?? refresh(token), again };
}

const signedInBy = (session: Session, person: Person): SignedIn => ({
  ...person,
  displayName: person.name ?? session.name ?? person.subject,
  endsAt: endOf(session, person),
});

const endOf = ({ refresh, until }: Session, { expiresAt }: Person): Date =>
  new Date(refresh === undefined ? Math.min(expiresAt.getTime(), until) : until);

interface SessionsOptions {
  readonly keys: readonly Uint8Array[];
  readonly identify: IdentifyPerson;
  readonly tokens: Pick<Tokens, 'refresh' | 'revoke'>;
  readonly now: () => Date;
}
