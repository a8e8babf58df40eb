import { hash } from 'node:crypto';
import { Problem } from '@corner/contracts';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { hostCookie } from './cookies.ts';
import type { IdentifyPerson, Person } from './person.ts';
import type { Granted, Provider } from './provider.ts';
import { createSeal } from './seal.ts';

/** Seconds a session lasts at most, however often its token is refreshed. */
const longestSeconds = 12 * 3600;
/** Milliseconds before its end in which a token is refreshed. */
const refreshAheadMs = 60_000;
/** Milliseconds for which a refreshed token is kept for requests that still carry the old one. */
const keptMs = 60_000;
/** Milliseconds in which the provider is not asked again when it did not say whether a token can be refreshed. */
const failedMs = 5_000;

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
   * UPSTREAM_UNAVAILABLE when its token has ended and the provider cannot say whether the session goes on.
   */
  of(request: Request, response: Response): Promise<SignedIn>;
  /** Clears the cookie, and ends the refresh token at the provider as far as it responds. */
  end(request: Request, response: Response): Promise<void>;
}

export function createSessions({ keys, identify, provider, now }: SessionsOptions): Sessions {
  const cookie = hostCookie('corner', 'Strict');
  const seal = createSeal(keys, 'corner-session');
  const refreshed = new Map<string, Promise<Granted | null>>();

  const write = async (response: Response, session: Session, endsAt: Date) =>
    cookie.set(response, await seal.seal(session), Math.max(1, Math.ceil((endsAt.getTime() - now().getTime()) / 1000)));
  const endOf = ({ refresh, until }: Session, { expiresAt }: Person): Date =>
    new Date(refresh === undefined ? Math.min(expiresAt.getTime(), until) : until);

  /** Refreshes once for all requests that carry the same token: a provider may accept a refresh token only once. */
  const refreshOnce = (token: string): Promise<Granted | null> => {
    const key = hash('sha256', token, 'base64');
    const known = refreshed.get(key);
    if (known !== undefined) return known;
    const asked = provider.refresh(token);
    refreshed.set(key, asked);
    const forgetAfter = (ms: number) => void setTimeout(() => refreshed.delete(key), ms).unref();
    asked.then(
      () => forgetAfter(keptMs),
      () => forgetAfter(failedMs),
    );
    return asked;
  };
  const refresh = async (session: Session & { readonly refresh: string }, response: Response): Promise<SignedIn | null> => {
    const granted = await refreshOnce(session.refresh);
    if (!granted) return null;
    const next = { ...session, ...granted };
    const person = await identify(next.token);
    await write(response, next, endOf(next, person));
    return { ...person, displayName: nameOf(next, person), endsAt: endOf(next, person) };
  };

  return {
    async begin(response, granted) {
      const person = await identify(granted.token);
      const session = { ...granted, until: now().getTime() + longestSeconds * 1000 };
      await write(response, session, endOf(session, person));
    },
    async of(request, response) {
      const session = await seal.open(Session, cookie.read(request));
      if (!session || session.until <= now().getTime()) throw new Problem('UNAUTHENTICATED', { message: 'Sign in first.' });
      const person = await identify(session.token).catch((error: unknown) => {
        if (session.refresh !== undefined && error instanceof Problem && error.code === 'UNAUTHENTICATED') return null;
        throw error;
      });
      const isFresh = person && person.expiresAt.getTime() - now().getTime() > refreshAheadMs;
      const isValid = person !== null && person.expiresAt > now();
      const next =
        session.refresh === undefined || isFresh
          ? null
          : await refresh({ ...session, refresh: session.refresh }, response).catch((error: unknown) => {
              if (isValid) return null; // The token serves until it ends, or the provider is back.
              throw error;
            });
      if (next) return next;
      if (!isValid) throw new Problem('UNAUTHENTICATED', { message: 'The session has ended: sign in again.' });
      return { ...person, displayName: nameOf(session, person), endsAt: endOf(session, person) };
    },
    async end(request, response) {
      const session = await seal.open(Session, cookie.read(request));
      cookie.clear(request, response);
      if (session?.refresh !== undefined) await provider.revoke(session.refresh).catch(() => {});
    },
  };
}

const nameOf = ({ name }: Session, person: Person): string => person.name ?? name ?? person.subject;

interface SessionsOptions {
  readonly keys: readonly Uint8Array[];
  readonly identify: IdentifyPerson;
  readonly provider: Pick<Provider, 'refresh' | 'revoke'>;
  readonly now: () => Date;
}
