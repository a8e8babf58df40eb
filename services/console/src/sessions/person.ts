import { createVerifyToken, type VerifyTokenOptions } from '@corner/chassis/edge';
import { type Permission, permissions } from '@corner/console-api';
import { Problem } from '@corner/contracts';
import { errors } from 'jose';
import { z } from 'zod';

export type Role = 'owner' | 'manager' | 'staff';

export interface Person {
  readonly subject: string;
  readonly kind: 'operator' | 'merchant' | 'staff';
  readonly name: string | null;
  readonly permissions: ReadonlySet<Permission>;
  readonly stores: ReadonlyMap<string, Role>;
  readonly token: string;
  readonly expiresAt: Date;
}

const Claims = z.object({
  sub: z.string(),
  typ: z.enum(['operator', 'merchant', 'staff']),
  exp: z.number(),
  name: z.string().optional(),
  scope: z.string().default(''),
  stores: z.array(z.object({ id: z.string().toLowerCase(), role: z.enum(['owner', 'manager', 'staff']) })).default([]),
});

/** Returns the person of a verified access token. Throws UNAUTHENTICATED, WRONG_TOKEN_TYPE for a customer's, or UPSTREAM_UNAVAILABLE. */
export type IdentifyPerson = (token: string) => Promise<Person>;

export function createIdentifyPerson(options: VerifyTokenOptions & { readonly audience: string }): IdentifyPerson {
  const verify = createVerifyToken(options);
  return async (token) => {
    const payload = await verify(token, { audience: options.audience, claims: ['exp', 'typ'] }).catch((cause: unknown) => {
      if (cause instanceof errors.JOSEError)
        throw new Problem('UNAUTHENTICATED', { message: 'The session has ended: sign in again.', cause });
      throw cause;
    });
    const { success, data, error } = Claims.safeParse(payload);
    if (!success)
      throw new Problem('WRONG_TOKEN_TYPE', { message: 'The console is for operators, merchants and their staff.', cause: error });
    const { sub, typ, exp, name = null, scope, stores } = data;
    const scopes = new Set(scope.split(' '));
    return {
      subject: sub,
      kind: typ,
      name,
      permissions: new Set(typ === 'operator' ? permissions.filter((permission) => scopes.has(permission)) : []),
      stores: new Map(typ === 'operator' ? [] : stores.map(({ id, role }) => [id, role])),
      token,
      expiresAt: new Date(exp * 1000),
    };
  };
}
