import { createHash } from 'node:crypto';
import { type CallerRule, type CallerType, Problem } from '@corner/contracts';
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';

export type Role = 'owner' | 'manager' | 'staff';

/** Who is calling. `anonymous` only reaches operations that need nobody to be signed in. */
export interface Caller {
  readonly type: CallerType | 'anonymous';
  /** The token's subject; `anonymous` without one. */
  readonly id: string;
  /** The name to show in a log entry, where the token has one. */
  readonly name: string | null;
  /** Stores a merchant or staff caller holds, with the role there. */
  readonly stores: ReadonlyMap<string, Role>;
  readonly scopes: ReadonlySet<string>;
}

export const anonymous: Caller = { type: 'anonymous', id: 'anonymous', name: null, stores: new Map(), scopes: new Set() };

/** Turns an Authorization header into a caller. Throws UNAUTHENTICATED, with WWW-Authenticate, for any token that is not good. */
export type Authenticate = (authorization: string | undefined) => Promise<Caller | null>;

export interface AuthenticateOptions {
  readonly issuer: string;
  readonly audience: string;
  /** Where the signing keys are: an address, or a resolver in tests. */
  readonly keys: string | JWTVerifyGetKey;
  readonly now: () => Date;
}

const Claims = z.object({
  sub: z.string().min(1).max(128),
  typ: z.enum(['customer', 'merchant', 'staff']),
  exp: z.number(),
  name: z.string().optional(),
  scope: z.string().default(''),
  stores: z.array(z.object({ id: z.string().toLowerCase(), role: z.enum(['owner', 'manager', 'staff']) })).default([]),
});

/** Most verified tokens remembered. A token is remembered until it expires: the longest a revoked one can live on is its own lifetime. */
const remembered = 10_000;
const clockToleranceSeconds = 30;

/** Verifies access tokens: ES256, EdDSA or RS256 by JWKS, exact issuer and audience. A token seen before costs a hash. */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const keys =
    typeof options.keys === 'string'
      ? createRemoteJWKSet(new URL(options.keys), { cooldownDuration: 5_000, cacheMaxAge: 600_000, timeoutDuration: 3_000 })
      : options.keys;
  const seen = new Map<string, { readonly caller: Caller; readonly expiresAt: number }>();

  return async (authorization) => {
    if (authorization === undefined) return null;
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization)?.[1];
    if (!token) throw unauthenticated('The Authorization header must be: Bearer and an access token.');
    const fingerprint = createHash('sha256').update(token).digest('base64');
    const known = seen.get(fingerprint);
    if (known && known.expiresAt > options.now().getTime()) return known.caller;
    const { payload } = await jwtVerify(token, keys, {
      issuer: options.issuer,
      audience: options.audience,
      algorithms: ['ES256', 'EdDSA', 'RS256'],
      clockTolerance: clockToleranceSeconds,
      currentDate: options.now(),
      requiredClaims: ['exp', 'sub', 'typ'],
    }).catch((error: unknown) => {
      throw refusal(error);
    });
    const claims = Claims.safeParse(payload);
    if (!claims.success) throw unauthenticated('The access token lacks claims that Corner needs.');
    const caller = callerOf(claims.data);
    if (seen.size >= remembered) seen.delete(seen.keys().next().value ?? '');
    seen.set(fingerprint, { caller, expiresAt: claims.data.exp * 1000 });
    return caller;
  };
}

function callerOf({ typ, sub, name, scope, stores }: z.output<typeof Claims>): Caller {
  return {
    type: typ,
    id: sub.toLowerCase(),
    name: name ?? null,
    stores: new Map(stores.map(({ id, role }) => [id, role])),
    scopes: new Set(scope.split(' ').filter(Boolean)),
  };
}

function refusal(error: unknown): Problem {
  if (error instanceof errors.JWTExpired) return unauthenticated('The access token has expired.', error);
  if (keysAreAway(error)) {
    return new Problem('UPSTREAM_UNAVAILABLE', {
      message: 'The signing keys cannot be fetched right now.',
      retryAfterSeconds: 2,
      cause: error,
    });
  }
  return unauthenticated('The access token is not valid here.', error);
}

/** The fault is the issuer's, not the token's: no answer, another answer than 200, or one that is no key set. */
const keysAreAway = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  error.code === 'ERR_JOSE_GENERIC';

const unauthenticated = (message: string, cause?: unknown): Problem =>
  new Problem('UNAUTHENTICATED', { message, cause, headers: { 'WWW-Authenticate': 'Bearer realm="corner", error="invalid_token"' } });

/** Applies an operation's rule to who calls. Throws 401 or 403. */
export function admit(rule: CallerRule, caller: Caller | null): Caller {
  if (!caller) {
    if (rule.optional) return anonymous;
    throw new Problem('UNAUTHENTICATED', { headers: { 'WWW-Authenticate': 'Bearer realm="corner"' } });
  }
  if (caller.type === 'anonymous' || !rule.types.includes(caller.type)) {
    if (rule.optional) return anonymous;
    throw new Problem('WRONG_TOKEN_TYPE', {
      message: `This operation takes a ${rule.types.join(' or ')} token; this is a ${caller.type} token.`,
    });
  }
  if (rule.scope && !caller.scopes.has(rule.scope)) {
    throw new Problem('INSUFFICIENT_SCOPE', { message: `The token lacks the scope ${rule.scope}.` });
  }
  return caller;
}

/** A merchant or staff caller must hold the store the request names. Throws STORE_FORBIDDEN. */
export function admitToStore(caller: Caller, storeId: string | undefined): void {
  if (storeId === undefined || caller.type === 'customer' || caller.type === 'anonymous') return;
  if (!caller.stores.has(storeId)) throw new Problem('STORE_FORBIDDEN');
}
