import { createHash } from 'node:crypto';
import { type CallerRule, type CallerType, Problem } from '@corner/contracts';
import { errors } from 'jose';
import { z } from 'zod';
import { createVerifyToken, type VerifyTokenOptions } from './verify-token.ts';

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

export interface AuthenticateOptions extends VerifyTokenOptions {
  readonly audience: string;
}

const Claims = z.object({
  sub: z.string().min(1).max(128),
  typ: z.enum(['customer', 'merchant', 'staff']),
  exp: z.number(),
  name: z.string().optional(),
  scope: z.string().default(''),
  stores: z.array(z.object({ id: z.string().toLowerCase(), role: z.enum(['owner', 'manager', 'staff']) })).default([]),
});

/** Most verified tokens remembered. */
const remembered = 10_000;
/** Longest one is, whatever end it names: so long its key may be withdrawn and it still be good here. */
const rememberedMs = 600_000;

/** Verifies access tokens. One seen before costs a hash. */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const verify = createVerifyToken(options);
  const seen = new Map<string, { readonly caller: Caller; readonly expiresAt: number }>();

  return async (authorization) => {
    if (authorization === undefined) return null;
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization)?.[1];
    if (!token) throw unauthenticated('The Authorization header must be: Bearer and an access token.');
    const fingerprint = createHash('sha256').update(token).digest('base64');
    const known = seen.get(fingerprint);
    if (known && known.expiresAt > options.now().getTime()) return known.caller;
    const payload = await verify(token, { audience: options.audience, claims: ['exp', 'sub', 'typ'] }).catch((error: unknown) => {
      throw refusal(error);
    });
    const claims = Claims.safeParse(payload);
    if (!claims.success) throw unauthenticated('The access token lacks claims that Corner needs.');
    const caller = callerOf(claims.data);
    if (seen.size >= remembered) seen.delete(seen.keys().next().value ?? '');
    seen.set(fingerprint, { caller, expiresAt: Math.min(claims.data.exp * 1000, options.now().getTime() + rememberedMs) });
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
  if (error instanceof Problem) return error;
  if (error instanceof errors.JWTExpired) return unauthenticated('The access token has expired.', error);
  return unauthenticated('The access token is not valid here.', error);
}

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
