import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FixedClock, fixedClock } from '@corner/testkit';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { type Authenticate, createAuthenticate } from '../auth/caller.ts';
import { createSigningKeys } from '../auth/signing-keys.ts';

export interface Key {
  readonly kid: string;
  readonly alg: string;
  readonly pair: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
}

export const createKey = async (kid: string, alg = 'ES256'): Promise<Key> => ({
  kid,
  alg,
  pair: await generateKeyPair(alg, { extractable: true }),
});

/**
 * An issuer of tokens whose clock, published keys and HTTP responses a test controls. `respond` gets the key set as `body`. `seconds` is
 * the issuer's time since the epoch, for claims.
 */
export interface KeyIssuer extends Disposable {
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly clock: FixedClock;
  keys: Key[];
  respond: (body: string) => { readonly status: number; readonly body: string };
  requests: number;
  firstKey(): Key;
  seconds(): number;
  claims(over?: JWTPayload): JWTPayload;
  token(key: Key, over?: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>;
  authenticate(): Authenticate;
}

export async function startKeyIssuer(): Promise<KeyIssuer> {
  const clock = fixedClock('2026-05-01T12:00:00Z');
  const issuer = 'https://issuer.example';
  const server = createServer(async (request, response) => {
    started.requests += 1;
    const set = JSON.stringify({ keys: await Promise.all(started.keys.map(published)) });
    const { status, body } = request.url === '/jwks' ? started.respond(set) : { status: 200, body: set };
    response.writeHead(status, { Connection: 'close', Location: '/elsewhere' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  const seconds = () => Math.floor(clock.now().getTime() / 1000);
  const claims = (over: JWTPayload = {}): JWTPayload => ({
    iss: issuer,
    aud: 'api',
    sub: randomUUID(),
    typ: 'customer',
    iat: seconds(),
    exp: seconds() + 900,
    ...over,
  });
  const started: KeyIssuer = {
    issuer,
    jwksUrl,
    clock,
    keys: [await createKey('k1')],
    respond: (body) => ({ status: 200, body }),
    requests: 0,
    firstKey: () => started.keys[0] as Key,
    seconds,
    claims,
    token: (key, over = {}, header = {}) =>
      new SignJWT(claims(over)).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.pair.privateKey),
    authenticate: () =>
      createAuthenticate({ issuer, audience: 'api', keys: createSigningKeys(jwksUrl, () => clock.now().getTime()), now: clock.now }),
    [Symbol.dispose]: () => void server.close(),
  };
  return started;
}

const published = async ({ kid, alg, pair }: Key) => ({ ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' });
