import { randomUUID } from 'node:crypto';
import type { Platform } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { DirectoryConfig, Operator } from './config.ts';
import { createVerifyIdToken, type VerifyIdToken } from './sign-in/adapters.ts';
import { createTokenIssuer, type TokenIssuer } from './sign-in/crypto.ts';

export interface Context extends Pick<Platform, 'broker' | 'call' | 'database' | 'log' | 'newId' | 'now'> {
  /** Whether this process has looked at the stream for another producer, the look under way, and what is known of another. */
  readonly producers: { looked: boolean; looking: Promise<void> | null; fault: string | null };
  /** Signs tokens; null where they come from elsewhere. */
  readonly tokens: (TokenIssuer & { readonly audience: string }) | null;
  readonly verifyIdToken: VerifyIdToken;
  /** Returns a random UUIDv4 for who asked for an erasure: it cannot be guessed. */
  readonly newReceipt: () => string;
  readonly operators: readonly Operator[];
  /** After so many years without a visit a customer is erased; null for never. */
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

/** Returns what signs tokens here. Throws TOKENS_ISSUED_ELSEWHERE. */
export function issuerOf({ tokens }: Context): NonNullable<Context['tokens']> {
  if (!tokens) throw new Problem('TOKENS_ISSUED_ELSEWHERE');
  return tokens;
}

/** Throws UPSTREAM_UNAVAILABLE while another producer is known: its snapshots would hide what is changed here. */
export function checkOnlyProducer({ producers }: Context): void {
  if (producers.fault !== null)
    throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'The directory cannot be changed right now.', retryAfterSeconds: 60 });
}
