import { createHash, createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';

/** Public keys of Ed25519, as readBookKeys returns them. Others in the set are ignored. */
export const BookKeySet = z.object({
  keys: z.array(z.object({ kty: z.string(), crv: z.string().optional(), x: z.string().optional(), kid: z.string().optional() })),
});
export type BookKeySet = z.output<typeof BookKeySet>;

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

export type Signer = { readonly kid: string } | { readonly why: string };

/** Reads a JWS in compact form: its payload, undefined when it is no JSON, and the key that signed it, or why none of the keys did. */
export function readJws(jws: string, keys: BookKeySet): { readonly payload: unknown; readonly signer: Signer } {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  return { payload: jsonIn(payload), signer: signerOf(header, `${header}.${payload}`, signature, keys) };
}

const Header = z.object({ alg: z.string(), kid: z.string().optional() });

function signerOf(header: string, signed: string, signature: string, { keys }: BookKeySet): Signer {
  const { alg, kid } = Header.safeParse(jsonIn(header)).data ?? { alg: '' };
  if (alg === 'none') return { why: 'it is not signed: the platform had no key then, so it proves nothing' };
  const key = keys.find((one) => kid !== undefined && one.kid === kid && one.kty === 'OKP' && one.crv === 'Ed25519' && one.x !== undefined);
  if (alg !== 'EdDSA' || !key || kid === undefined)
    return { why: `it is signed by the key ${kid ?? 'without a name'}, which is not among the keys` };
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x ?? '' }, format: 'jwk' });
  const fits = verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64url'));
  return fits ? { kid } : { why: 'its signature does not fit: what was signed was changed' };
}

function jsonIn(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return undefined;
  }
}
