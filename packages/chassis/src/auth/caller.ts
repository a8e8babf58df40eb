import { hash } from 'node:crypto';
import { type CallerRule, type CallerType, Problem, type Role, roles } from '@corner/contracts';
import { errors } from 'jose';
import { z } from 'zod';
import { unauthenticated } from '../errors/unauthenticated.ts';
import { createVerifyToken, NoSubject, type VerifyTokenOptions } from './verify-token.ts';

/**
 * The caller of a request. `id` is the token's subject, a UUID in lower case, or `anonymous` without a token. `name` is shown in an order's
 * log; null when the token has none. A partner's name reads `partner Ledgerly`.
 */
export interface Caller {
  readonly type: CallerType | 'anonymous';
  readonly id: string;
  readonly name: string | null;
  readonly stores: ReadonlyMap<string, Role>;
  readonly scopes: ReadonlySet<string>;
}

export const anonymous: Caller = { type: 'anonymous', id: 'anonymous', name: null, stores: new Map(), scopes: new Set() };

/**
 * Turns an Authorization header into a caller; null without one. Throws UNAUTHENTICATED, with WWW-Authenticate. `remembered` verifies
 * nothing: it returns the caller of a token verified before, else null.
 */
export interface Authenticate {
  (authorization: string | undefined): Promise<Caller | null>;
  remembered(authorization: string | undefined): Caller | null;
}

export interface AuthenticateOptions extends VerifyTokenOptions {
  readonly audience: string;
}

const Claims = z.object({
  sub: z.string(),
  typ: z.enum(['customer', 'merchant', 'staff', 'partner']),
  exp: z.number(),
  name: z.string().optional(),
  scope: z.string().default(''),
  stores: z.array(z.object({ id: z.string().toLowerCase(), role: z.enum(roles) })).default([]),
});

const maxRemembered = 10_000;
/** A remembered token stays valid for this long after its key was withdrawn. */
const rememberedMs = 600_000;

export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const verify = createVerifyToken(options);
  const verified = new Map<string, { readonly caller: Caller; readonly expiresAt: number }>();

  const recall = (token: string): Caller | null => {
    const known = verified.get(fingerprintOf(token));
    return known && known.expiresAt > options.now().getTime() ? known.caller : null;
  };

  const authenticate = async (authorization: string | undefined): Promise<Caller | null> => {
    if (authorization === undefined) return null;
    const token = tokenIn(authorization);
    if (!token) throw unauthenticated('The Authorization header must be: Bearer and an access token.');
    const known = recall(token);
    if (known) return known;
    const payload = await verify(token, { audience: options.audience, claims: ['exp', 'typ'] }).catch((error: unknown) => {
      throw refusal(error);
    });
    const claims = Claims.safeParse(payload);
    if (!claims.success) throw unauthenticated('The access token lacks claims that Corner needs.');
    const caller = callerOf(claims.data);
    if (verified.size >= maxRemembered) verified.delete(verified.keys().next().value ?? '');
    verified.set(fingerprintOf(token), { caller, expiresAt: Math.min(claims.data.exp * 1000, options.now().getTime() + rememberedMs) });
    return caller;
  };
  return Object.assign(authenticate, {
    remembered: (authorization: string | undefined) => {
      const token = authorization === undefined ? undefined : tokenIn(authorization);
      return token ? recall(token) : null;
    },
  });
}

const tokenIn = (authorization: string): string | undefined => /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization)?.[1];

const fingerprintOf = (token: string): string => hash('sha256', token, 'base64');

function callerOf({ typ, sub, name, scope, stores }: z.output<typeof Claims>): Caller {
  return {
    type: typ,
    id: sub,
    name: typ === 'partner' && name !== undefined ? `partner ${name}` : (name ?? null),
    stores: new Map(stores.map(({ id, role }) => [id, role])),
    scopes: new Set(scope.split(' ').filter(Boolean)),
  };
}

function refusal(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof NoSubject) return unauthenticated(error.message, error);
  if (error instanceof errors.JWTExpired) return unauthenticated('The access token has expired.', error);
  return unauthenticated('The access token is not valid here.', error);
}

/** Applies an operation's rule to a caller (null without a token). Throws UNAUTHENTICATED, WRONG_TOKEN_TYPE or INSUFFICIENT_SCOPE. */
export function admit(rule: CallerRule, caller: Caller | null): Caller {
  if (!caller) {
    if (rule.optional) return anonymous;
    throw new Problem('UNAUTHENTICATED', { headers: { 'WWW-Authenticate': 'Bearer realm="corner"' } });
  }
  const isTaken = caller.type === 'partner' ? rule.partner !== undefined : caller.type !== 'anonymous' && rule.types.includes(caller.type);
  if (!isTaken) {
    if (rule.optional) return anonymous;
    throw new Problem('WRONG_TOKEN_TYPE', {
      message: `This operation takes a ${rule.types.join(' or ')} token; this is a ${caller.type} token.`,
    });
  }
  const scope = caller.type === 'partner' ? rule.partner : rule.scope;
  if (scope) requireScope(caller, scope);
  return caller;
}

/** Throws INSUFFICIENT_SCOPE when the token lacks the scope. */
export function requireScope({ scopes }: Caller, scope: string): void {
  if (!scopes.has(scope)) throw new Problem('INSUFFICIENT_SCOPE', { message: `The token lacks the scope ${scope}.` });
}

/**
 * Throws STORE_FORBIDDEN for a store that a merchant's, staff's or partner's token does not list, and INSUFFICIENT_ROLE for too low a role
 * there. A partner has scopes instead of a role.
 */
export function admitToStore({ role: least }: CallerRule, caller: Caller, storeId: string | undefined): void {
  if (storeId === undefined || caller.type === 'customer' || caller.type === 'anonymous') return;
  const role = caller.stores.get(storeId);
  if (!role) throw new Problem('STORE_FORBIDDEN');
  if (least && caller.type !== 'partner' && !hasRole(caller, storeId, least)) {
    throw new Problem('INSUFFICIENT_ROLE', { message: `This needs the role ${least} at the store; the token has the role ${role} there.` });
  }
}

/** Returns true also for a higher role. */
export function hasRole(caller: Caller, storeId: string, least: Role): boolean {
  const role = caller.stores.get(storeId);
  return role !== undefined && roles.indexOf(role) >= roles.indexOf(least);
}
