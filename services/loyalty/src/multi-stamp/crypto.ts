import { createHash } from 'node:crypto';
import type { VerifyToken } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { z } from 'zod';

/** Returns the hash under which an auth card of one store is stored. A token has 128 random bits, so the hash does not reveal it. */
export const staffCardHash = (storeId: string, tokenId: string): string =>
  createHash('sha256').update(`${storeId}\n${tokenId}`).digest('hex');

/** The fields that may carry a staff credential; an empty one counts as absent. `header`: X-Staff-Token. */
interface StaffFields {
  readonly staff_token?: string | null | undefined;
  readonly staff_secret?: string | null | undefined;
  readonly header: string | undefined;
}

/** A staff credential. A session's signature is verified, but it may have been revoked. */
export type StaffCredential =
  | { readonly kind: 'card'; readonly tokenId: string }
  | { readonly kind: 'session'; readonly sessionId: string; readonly staffId: string; readonly storeIds: ReadonlySet<string> };

const id = z.guid().toLowerCase();

const Claims = z.object({
  sub: id,
  jti: z.string().min(1),
  typ: z.literal('staff'),
  stores: z.array(z.object({ id })).default([]),
});

const maxSessionSeconds = 12 * 3_600;

/**
 * Reads a staff session (a token with the audience `staff-session`, 12 hours at most), or else the token id of an auth card. Throws
 * VALIDATION_FAILED for two different sessions, STAFF_CREDENTIAL_REQUIRED without a credential, STAFF_CREDENTIAL_INVALID for a session
 * that does not verify.
 */
export async function readStaffCredential(
  { staff_token, staff_secret, header }: StaffFields,
  verify: VerifyToken,
): Promise<StaffCredential> {
  if (staff_token && header && staff_token !== header)
    throw new Problem('VALIDATION_FAILED', { message: 'body.staff_token and X-Staff-Token differ: send one of them.' });
  const token = staff_token || header;
  if (token) return await readSession(token, verify);
  if (!staff_secret) throw new Problem('STAFF_CREDENTIAL_REQUIRED');
  return { kind: 'card', tokenId: staff_secret };
}

async function readSession(token: string, verify: VerifyToken): Promise<StaffCredential> {
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw new Problem('STAFF_CREDENTIAL_INVALID');
  const expected = { audience: 'staff-session', claims: ['exp', 'jti', 'typ'], maxAgeSeconds: maxSessionSeconds };
  const payload = await verify(token, expected).catch((error: unknown) => {
    throw error instanceof Problem ? error : new Problem('STAFF_CREDENTIAL_INVALID', { cause: error });
  });
  const claims = Claims.safeParse(payload);
  if (!claims.success) throw new Problem('STAFF_CREDENTIAL_INVALID');
  const { sub, jti, stores } = claims.data;
  return { kind: 'session', sessionId: jti, staffId: sub, storeIds: new Set(stores.map((store) => store.id)) };
}
