import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** The issuer's keys cannot be read: no answer, another than 200, or one that is no key set. The token is not at fault. */
export class KeysAway extends Error {
  override name = 'KeysAway';
}

/** Milliseconds: keys are read anew when they are older than this, and while that fails believed for as long as this. */
const freshMs = 600_000;
const believedMs = 3_600_000;
/** Milliseconds between two tries, whatever came of the first: a flood of made-up key ids must not become one of fetches. */
const cooldownMs = 5_000;
const timeoutMs = 3_000;

/**
 * The keys shown at an address, read when they are first needed, when they grow old, and when a token names one that is not
 * among them: a key that comes or goes needs no restart. Rejects with {@link KeysAway}, or a JOSE error for a token that
 * names no key of the set. `now` is in milliseconds, of any clock that only goes forward.
 */
export function createSigningKeys(address: string, now: () => number = () => performance.now()): JWTVerifyGetKey {
  let keys: JWTVerifyGetKey | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let fault: unknown = null;
  let reading: Promise<void> | null = null;

  /** Reads the keys, or waits for whoever does; at once without when it was tried just now. Never rejects. */
  const read = async (): Promise<void> => {
    if (!reading && now() - triedAt < cooldownMs) return;
    reading ??= fetchKeys(address)
      .then(
        (set) => {
          keys = set;
          readAt = now();
          fault = null;
        },
        (error: unknown) => {
          fault = error;
        },
      )
      .finally(() => {
        triedAt = now();
        reading = null;
      });
    await reading;
  };
  const believed = (): JWTVerifyGetKey => {
    if (keys === null || now() - readAt > believedMs) throw new KeysAway('no keys can be read', { cause: fault });
    return keys;
  };

  return async (header, token) => {
    if (now() - readAt > freshMs) await read();
    try {
      return await believed()(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await read();
      // It may name a new one that nobody can show us now.
      if (fault !== null) throw new KeysAway('a key may be new, and none can be read', { cause: fault });
      return await believed()(header, token);
    }
  };
}

async function fetchKeys(address: string): Promise<JWTVerifyGetKey> {
  const answer = await fetch(address, {
    headers: { Accept: 'application/json, application/jwk-set+json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (answer.status !== 200) throw new Error(`the issuer answered ${answer.status}`);
  return createLocalJWKSet((await answer.json()) as JSONWebKeySet);
}
