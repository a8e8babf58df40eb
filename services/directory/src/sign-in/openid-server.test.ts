import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type OpenIdServer, startOpenIdServer } from '../testing/openid-server.ts';
import { exchange, outcome, refresh, signingKey } from '../testing/provider.ts';
import { newestSnapshot } from '../testing/published.ts';
import { type Running, startRunning } from '../testing/running.ts';

const algorithms = { shop: 'RS256', console: 'ES256', board: 'EdDSA', other: 'RS256', weak: 'PS256' };
let server: OpenIdServer;
let running: Running;
beforeAll(async () => {
  server = await startOpenIdServer(algorithms);
  const providers = [
    { issuer: server.issuer, client_ids: ['shop', 'weak'], typ: 'customer' },
    { issuer: server.issuer, client_ids: ['console', 'board'], typ: 'team' },
  ];
  running = await startRunning({
    // The server takes the time of the machine's clock.
    at: new Date().toISOString(),
    settings: { TOKEN_SIGNING_KEYS: JSON.stringify(signingKey()), SIGN_IN_PROVIDERS: JSON.stringify(providers) },
  });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function signIn(login: string, clientId: keyof typeof algorithms) {
  const tokens = await server.signIn(login, clientId);
  running.clock.set(new Date().toISOString());
  return { idToken: tokens.id_token ?? '', accessToken: tokens.access_token };
}

describe('an OpenID server as others run it, whose keys are found by its discovery document', () => {
  test('signs a customer in by code flow and PKCE, with the name and the verified address of the ID token', async () => {
    const { idToken } = await signIn('ana', 'shop');
    const reply = await exchange(running, idToken);
    expect([outcome(reply), reply.body.subject]).toEqual(['200', { id: expect.any(String), typ: 'customer', name: 'Name of ana' }]);
    const { data } = await newestSnapshot(running, 'customer', reply.body.subject.id);
    expect(data).toMatchObject({ name: 'Name of ana', email: 'ana@example.com' });
    expect(outcome(await refresh(running, reply.body.refresh_token))).toBe('200');
    expect((await exchange(running, (await signIn('ana', 'shop')).idToken)).body.subject.id).toBe(reply.body.subject.id);
  });

  test.each(['console', 'board'] as const)('signs one of the team in by the client %s, whose algorithm is another', async (client) => {
    const reply = await exchange(running, (await signIn('bo', client)).idToken, { typ: 'team' });
    expect([outcome(reply), reply.body.subject.typ]).toEqual(['200', 'merchant']);
  });

  test('cannot sign in with an ID token of another client, of another algorithm, of the other kind, or with its access token', async () => {
    const [other, weak, shop] = [await signIn('eve', 'other'), await signIn('eve', 'weak'), await signIn('eve', 'shop')];
    for (const token of [other.idToken, weak.idToken, shop.accessToken])
      expect(outcome(await exchange(running, token))).toBe('401 ID_TOKEN_INVALID');
    expect(outcome(await exchange(running, shop.idToken, { typ: 'team' }))).toBe('401 ID_TOKEN_INVALID');
    expect(outcome(await exchange(running, shop.idToken))).toBe('200');
  });
});
