import { Problem } from '@corner/contracts';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** No response, a status other than 200, or a body that is not a key set. The token may be valid. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** Resolves an issuer's keys. `whyNever` returns why no keys were ever fetched, after one more attempt; null once they were. */
export interface SigningKeys extends JWTVerifyGetKey {
  whyNever(): Promise<string | null>;
}

const freshMs = 600_000;
const staleMs = 3_600_000;
/**
 * The least time between two fetches, also after a failed one: a flood of made-up key ids must not become a flood of fetches. The shorter
 * time is for the readiness check of a process that never had keys.
 */
const cooldownMs = 5_000;
const firstCooldownMs = 1_000;
const timeoutMs = 3_000;

/** Returns UPSTREAM_UNAVAILABLE when the signing keys cannot be fetched; null for any other error. */
export const keysProblem = (error: unknown): Problem | null =>
  error instanceof KeysUnavailable || error instanceof errors.JWKSInvalid
    ? new Problem('UPSTREAM_UNAVAILABLE', { message: 'The signing keys cannot be fetched right now.', retryAfterSeconds: 2, cause: error })
    : null;

/**
 * Returns a resolver of the keys at an address, or at the one that a function finds before each fetch. Keys are fetched when first needed,
 * when old, and for an unknown key id, so they change without a restart. Rejects with {@link KeysUnavailable}, or a JOSE error for an
 * unknown key. `now`: milliseconds of a monotonic clock.
 */
export function createSigningKeys(address: string | (() => Promise<string>), now: () => number = () => performance.now()): SigningKeys {
  let keys: JWTVerifyGetKey | null = null;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let fault: unknown = null;
  let fetching: Promise<void> | null = null;

  /** Joins a fetch in progress; returns at once when the last attempt was less than `leastMs` ago. Never rejects. */
  const refresh = async (leastMs = cooldownMs): Promise<void> => {
    if (!fetching && now() - triedAt < leastMs) return;
    fetching ??= Promise.resolve(typeof address === 'string' ? address : address())
      .then(fetchKeys)
      .then(
        (set) => {
          keys = set;
          fetchedAt = now();
          fault = null;
        },
        (error: unknown) => {
          fault = error;
        },
      )
      .finally(() => {
        triedAt = now();
        fetching = null;
      });
    await fetching;
  };
  const usable = (): JWTVerifyGetKey => {
    if (keys === null || now() - fetchedAt > staleMs) throw new KeysUnavailable('the signing keys cannot be fetched', { cause: fault });
    return keys;
  };

  const resolve: JWTVerifyGetKey = async (header, token) => {
    if (now() - fetchedAt > freshMs) await refresh();
    try {
      return await usable()(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh();
      if (fault !== null) throw new KeysUnavailable('the key may be new, and the signing keys cannot be fetched', { cause: fault });
      return await usable()(header, token);
    }
  };
  const whyNever = async (): Promise<string | null> => {
    if (keys === null) await refresh(firstCooldownMs);
    return keys === null ? `never fetched, so no token can be verified: ${reasonOf(fault)}` : null;
  };
  return Object.assign(resolve, { whyNever });
}

function reasonOf(fault: unknown): string {
  const { cause, message } = fault as Error & { readonly cause?: { readonly code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : message;
}

async function fetchKeys(address: string): Promise<JWTVerifyGetKey> {
  const response = await fetch(address, {
    headers: { Accept: 'application/json, application/jwk-set+json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) throw new Error(`the issuer responded ${response.status}`);
  return createLocalJWKSet((await response.json()) as JSONWebKeySet);
}
