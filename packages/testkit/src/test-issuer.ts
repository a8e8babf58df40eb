import { randomUUID } from 'node:crypto';
import {
  createLocalJWKSet,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  SignJWT,
  UnsecuredJWT,
} from 'jose';

export interface TokenClaims {
  readonly typ: 'customer' | 'merchant' | 'staff' | 'partner';
  readonly sub?: string;
  readonly scope?: string;
  readonly stores?: readonly { readonly id: string; readonly role: 'owner' | 'manager' | 'staff' }[];
  readonly name?: string;
  readonly merchant_id?: string;
  readonly [claim: string]: unknown;
}

type MakeToken = (claims: TokenClaims) => Promise<string>;

/** An identity provider with real keys and signatures. `bad` makes tokens that must be refused, each bad in exactly one way. */
export interface TestIssuer {
  readonly jwks: JSONWebKeySet;
  readonly keys: JWTVerifyGetKey;
  readonly issuer: string;
  readonly audience: string;
  readonly token: MakeToken;
  readonly bad: {
    readonly expired: MakeToken;
    readonly unsigned: MakeToken;
    /** Signed by HMAC with the public key as the secret. A verifier that lets the token choose the algorithm would accept it. */
    readonly hs256: MakeToken;
    readonly wrongAudience: MakeToken;
    readonly wrongIssuer: MakeToken;
    readonly unknownKid: MakeToken;
    readonly forged: MakeToken;
  };
}

export interface TestIssuerOptions {
  readonly issuer?: string;
  readonly audience?: string;
  readonly now?: () => Date;
}

const lifeSeconds = 15 * 60;
const kid = 'test-key';

export async function testIssuer(options: TestIssuerOptions = {}): Promise<TestIssuer> {
  const { issuer = 'https://issuer.corner.test', audience = 'api', now = () => new Date() } = options;
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const stranger = await generateKeyPair('ES256');
  const secret = new TextEncoder().encode(await exportSPKI(publicKey));

  const payload = (claims: TokenClaims, changes: JWTPayload = {}): JWTPayload => {
    const issuedAt = Math.floor(now().getTime() / 1_000);
    const usual = {
      iss: issuer,
      aud: audience,
      sub: randomUUID(),
      scope: '',
      iat: issuedAt,
      exp: issuedAt + lifeSeconds,
      jti: randomUUID(),
    };
    return { ...usual, ...claims, ...changes };
  };
  const sign = (body: JWTPayload, key: CryptoKey | Uint8Array = privateKey, alg = 'ES256', keyId = kid) =>
    new SignJWT(body).setProtectedHeader({ alg, kid: keyId, typ: 'JWT' }).sign(key);

  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }] };
  return {
    jwks,
    keys: createLocalJWKSet(jwks),
    issuer,
    audience,
    token: (claims) => sign(payload(claims)),
    bad: {
      expired(claims) {
        const exp = Math.floor(now().getTime() / 1_000) - 3_600;
        return sign(payload(claims, { iat: exp - lifeSeconds, exp }));
      },
      unsigned: async (claims) => new UnsecuredJWT(payload(claims)).encode(),
      hs256: (claims) => sign(payload(claims), secret, 'HS256'),
      wrongAudience: (claims) => sign(payload(claims, { aud: `${audience}-of-another` })),
      wrongIssuer: (claims) => sign(payload(claims, { iss: `${issuer}.evil.example` })),
      unknownKid: (claims) => sign(payload(claims), privateKey, 'ES256', 'no-such-key'),
      forged: (claims) => sign(payload(claims), stranger.privateKey),
    },
  };
}
