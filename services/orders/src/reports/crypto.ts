import { createHash, createPrivateKey, sign } from 'node:crypto';
import type { orders, ReplyOf } from '@corner/contracts';

export interface BookKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly d?: string | undefined;
}

export interface BookSigner {
  /** Returns a payload as a JWS in compact form: signed by the first key, or with an empty signature without keys. */
  seal(payload: string): string;
  readonly keys: ReplyOf<typeof orders.readBookKeys>['keys'];
}

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/** Creates a signer. The first key must have its private part; without keys it seals without a signature. */
export function createBookSigner(keys: readonly BookKey[]): BookSigner {
  const [first] = keys;
  const privateKey = first && createPrivateKey({ key: { ...first, d: first.d ?? '' }, format: 'jwk' });
  const header = first ? { alg: 'EdDSA', kid: thumbprintOf(first) } : { alg: 'none' };
  return {
    seal(payload) {
      const signed = `${encode(JSON.stringify(header))}.${encode(payload)}`;
      return `${signed}.${privateKey ? sign(null, Buffer.from(signed), privateKey).toString('base64url') : ''}`;
    },
    keys: keys.map((key) => ({ kty: 'OKP', crv: 'Ed25519', x: key.x, kid: thumbprintOf(key), alg: 'EdDSA', use: 'sig' })),
  };
}

export const hashText = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The thumbprint of RFC 7638: the fields of a public key in the order of their names. */
const thumbprintOf = ({ crv, kty, x }: BookKey): string => hashText(JSON.stringify({ crv, kty, x }));
