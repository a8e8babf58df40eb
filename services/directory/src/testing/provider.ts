import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWTPayload, SignJWT } from 'jose';
import type { Running } from './running.ts';

/**
 * An OpenID provider at the far side of the wire: real keys and signatures, with claims that a test chooses. `entry`: that of
 * SIGN_IN_PROVIDERS for its clients `shop` and `console`. `away`: its keys and its discovery document cannot be read; `discovery` replaces
 * fields of the document. `idToken` returns one of the client `shop`, made at the time of the service’s clock.
 */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly entry: { readonly issuer: string; readonly client_ids: readonly string[] };
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  away: boolean;
  discovery: object;
  idToken(claims?: JWTPayload, header?: object): Promise<string>;
}

export async function startProvider(now: () => Date): Promise<TestProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = 'provider-key';
  const server = createServer((request, response) => {
    const keys = [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }];
    const document = { issuer, jwks_uri: `${issuer}/jwks`, ...provider.discovery };
    const body = request.url === '/jwks' ? { keys } : request.url === '/.well-known/openid-configuration' ? document : null;
    response.writeHead(provider.away ? 503 : body ? 200 : 404, { Connection: 'close' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: TestProvider = {
    ...{ issuer, publicKey, privateKey, away: false, discovery: {} },
    entry: { issuer, client_ids: ['shop', 'console'] },
    idToken(claims = {}, header = {}) {
      const issuedAt = Math.floor(now().getTime() / 1000);
      const usual = { iss: issuer, aud: 'shop', sub: randomUUID(), iat: issuedAt, exp: issuedAt + 3_600, nonce: randomUUID() };
      return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT', ...header }).sign(privateKey);
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return provider;
}

export const signingKey = (): object => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a body of its own
  readonly body: any;
}

export async function send(
  { service }: Pick<Running, 'service'>,
  path: string,
  body: object,
  key?: string,
  token?: string,
): Promise<Reply> {
  const response = await fetch(`${service.url}/api/v1/directory${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key ? { 'idempotency-key': key } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

export const exchange = (running: Pick<Running, 'service'>, subject_token: string, more: object = {}, key?: string): Promise<Reply> =>
  send(
    running,
    '/token',
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      typ: 'customer',
      subject_token,
      ...more,
    },
    key,
  );

export const refresh = (running: Pick<Running, 'service'>, refresh_token: string, key?: string): Promise<Reply> =>
  send(running, '/token/refresh', { refresh_token }, key);

export const outcome = ({ status, body }: Reply): string => (status === 200 ? '200' : `${status} ${body.error?.code}`);
