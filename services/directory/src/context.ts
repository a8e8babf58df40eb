import { randomUUID } from 'node:crypto';
import type { Platform } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { DirectoryConfig, Operator } from './config.ts';
import { createVerifyIdToken, type VerifyIdToken } from './sign-in/adapters.ts';
import { createTokenIssuer, type TokenIssuer } from './sign-in/crypto.ts';

/**
 * `producers`: whether this process has looked at the stream for another producer, the look under way, and the fault that it found.
 * `tokens`: null where tokens are issued elsewhere. `newReceipt` returns a random UUIDv4, which cannot be guessed, for the person who asked
 * for an erasure. `retentionYears`: a customer is erased after this many years without a visit; null for never.
 */
export interface Context extends Pick<Platform, 'broker' | 'call' | 'database' | 'log' | 'newId' | 'now'> {
  readonly producers: { looked: boolean; looking: Promise<void> | null; fault: string | null };
  readonly tokens: (TokenIssuer & { readonly audience: string }) | null;
  readonly verifyIdToken: VerifyIdToken;
  readonly newReceipt: () => string;
  readonly operators: readonly Operator[];
  readonly retentionYears: number | null;
}

export const createContext = ({ broker, call, database, log, newId, now }: Platform, config: DirectoryConfig): Context => {
  const { TOKEN_SIGNING_KEYS: keys, AUTH_AUDIENCE: audience, TOKEN_ISSUER: issuer = config.AUTH_ISSUER } = config;
  return {
    broker,
    call,
    database,
    log,
    newId,
    now,
    producers: { looked: false, looking: null, fault: null },
    tokens: keys ? { ...createTokenIssuer(issuer, keys), audience } : null,
    newReceipt: randomUUID,
    verifyIdToken: createVerifyIdToken(config.SIGN_IN_PROVIDERS),
    operators: config.OPERATORS,
    retentionYears: config.RETENTION_YEARS ?? null,
  };
};

export function issuerOf({ tokens }: Context): NonNullable<Context['tokens']> {
  if (!tokens) throw new Problem('TOKENS_ISSUED_ELSEWHERE');
  return tokens;
}

/** Throws UPSTREAM_UNAVAILABLE while another producer is known: its snapshots would hide changes made here. */
export function checkOnlyProducer({ producers }: Context): void {
  if (producers.fault !== null)
    throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'The directory cannot be changed right now.', retryAfterSeconds: 60 });
}
