import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { consoleClient, consoleClientId, consolePeople } from '../demo/console-people.ts';
import { type RunningIssuer, startIssuer } from './start-issuer.ts';
import { begin, choose, discover, origin, post, redeem, signIn } from './testing/client.ts';

let issuer: RunningIssuer;
let config: oidc.Configuration;
let aheadMs = 0;
beforeAll(async () => {
  const now = () => new Date(Date.now() + aheadMs);
  issuer = await startIssuer({ people: consolePeople, clients: [consoleClient([origin])], now });
  config = await discover(issuer);
});
beforeEach(() => {
  aheadMs = 0;
});
afterAll(() => issuer.stop());

describe('signing in by OpenID Connect', () => {
  test('the client gets an id token of the person, and an access token that services accept', async () => {
    const tokens = await signIn(config, 'cy');
    expect(tokens.claims()).toMatchObject({ iss: issuer.url, aud: consoleClientId, name: 'Cy' });
    expect(tokens.expires_in).toBe(900);
    const rules = { issuer: 'corner-development', audience: 'api', algorithms: ['ES256'] };
    const { payload } = await jwtVerify(tokens.access_token, createRemoteJWKSet(new URL(issuer.jwksUrl)), rules);
    expect(payload).toMatchObject({ sub: tokens.claims()?.sub, typ: 'staff', stores: [{ role: 'staff' }] });
    expect(tokens.scope?.split(' ')).toEqual(expect.arrayContaining(['openid', ...String(payload.scope).split(' ')]));
  });

  test.each([
    ['olu', 'operator:read operator:act operator:payload'],
    ['pia', 'operator:read'],
  ])('the operator %s has the scopes %s and no store', async (person, scope) => {
    expect(decodeJwt((await signIn(config, person)).access_token)).toMatchObject({ typ: 'operator', scope, stores: [] });
  });

  test('the page lists the people and runs no script; its form may send the browser on to the client', async () => {
    const response = await fetch((await begin(config)).address);
    const html = await response.text();
    expect([...html.matchAll(/<button name="person" value="(\w+)"/g)].map(([, key]) => key)).toEqual(consolePeople.map(({ key }) => key));
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`form-action 'self' ${origin}`);
    expect(html).not.toContain('<script');
  });

  test('someone new signs in by a name and an address, and is the same person the next time', async () => {
    const first = await signIn(config, { name: ' Dee ', email: 'Dee@Example.com' });
    expect(first.claims()).toMatchObject({ name: 'Dee', email: 'dee@example.com', email_verified: true });
    expect(decodeJwt(first.access_token)).toMatchObject({ typ: 'merchant', sub: first.claims()?.sub, stores: [] });
    const again = await signIn(config, { name: 'Dee Dee', email: 'dee@example.com ' });
    expect(again.claims()).toMatchObject({ sub: first.claims()?.sub, name: 'Dee Dee' });
    expect((await signIn(config, String(first.claims()?.sub))).claims()?.name).toBe('Dee Dee');
    expect((await signIn(config, { name: 'Eve', email: 'eve@example.com' })).claims()?.sub).not.toBe(first.claims()?.sub);
  });

  test('someone new without a name or an address is not signed in', async () => {
    for (const form of [
      { name: '', email: 'dee@example.com' },
      { name: 'Dee', email: 'dee' },
    ]) {
      const back = await choose(await begin(config), form);
      expect(back.searchParams.get('error')).toBe('invalid_request');
    }
  });

  test('a page of another origin cannot choose a person', async () => {
    const begun = await begin(config);
    await expect(choose(begun, 'bo', { Origin: 'https://shop.example' })).rejects.toThrow('403');
    await expect(choose(begun, 'bo', { 'Sec-Fetch-Site': 'cross-site' })).rejects.toThrow('403');
  });

  test('a browser is sent to no address that is not the client’s', async () => {
    for (const changes of [
      { redirect_uri: 'https://shop.example/' },
      { redirect_uri: `${origin}/sign-in/callback/x` },
      { client_id: 'other' },
    ]) {
      const { address } = await begin(config, changes);
      const response = await fetch(address, { redirect: 'manual' });
      expect([changes, response.status, response.headers.get('location')]).toEqual([changes, 400, null]);
    }
  });

  test.each([
    [{ code_challenge: null }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: null }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ scope: 'profile' }, 'invalid_scope'],
    [{ prompt: 'none' }, 'login_required'],
  ])('a request with %j goes back to the client as %s', async (changes, error) => {
    const begun = await begin(config, changes);
    const response = await fetch(begun.address, { redirect: 'manual' });
    const back = new URL(response.headers.get('location') ?? '');
    expect(back.origin).toBe(origin);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error, state: begun.state, iss: issuer.url });
  });
});

describe('a code', () => {
  test('is redeemed once; a second use also revokes what the first one returned', async () => {
    const begun = await begin(config);
    const back = await choose(begun, 'bo');
    const tokens = await redeem(config, begun, back);
    await expect(redeem(config, begun, back)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('expires after a minute', async () => {
    const begun = await begin(config);
    const back = await choose(begun, 'bo');
    aheadMs = 60_000;
    await expect(redeem(config, begun, back)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('needs the verifier, the address and the client it was made for', async () => {
    const code = async () => {
      const begun = await begin(config);
      return {
        grant_type: 'authorization_code',
        code: (await choose(begun, 'bo')).searchParams.get('code') ?? '',
        code_verifier: begun.verifier,
      };
    };
    expect(await post(issuer, { ...(await code()), code_verifier: oidc.randomPKCECodeVerifier() })).toEqual([400, 'invalid_grant']);
    expect(await post(issuer, { ...(await code()), code_verifier: '' })).toEqual([400, 'invalid_request']);
    expect(await post(issuer, { ...(await code()), redirect_uri: `${origin}/` })).toEqual([400, 'invalid_grant']);
    expect(await post(issuer, { ...(await code()), client_id: 'other' })).toEqual([401, 'invalid_client']);
    expect(await post(issuer, { ...(await code()), grant_type: 'password' })).toEqual([400, 'unsupported_grant_type']);
    expect(await post(issuer, { ...(await code()), code: 'made up' })).toEqual([400, 'invalid_grant']);
    expect((await post(issuer, await code()))[0]).toBe(200);
  });
});

describe('a refresh token', () => {
  test('is replaced at each use; the used one revokes all that came of the sign-in', async () => {
    const first = await signIn(config, 'bo');
    const second = await oidc.refreshTokenGrant(config, first.refresh_token ?? '');
    expect(second.claims()?.sub).toBe(first.claims()?.sub);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    await expect(oidc.refreshTokenGrant(config, first.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(oidc.refreshTokenGrant(config, second.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('is revoked when the person signs out, and the browser goes back to the client', async () => {
    const tokens = await signIn(config, 'bo');
    await oidc.tokenRevocation(config, tokens.refresh_token ?? '');
    await expect(oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });
    const leave = (to: string) => fetch(oidc.buildEndSessionUrl(config, { post_logout_redirect_uri: to }), { redirect: 'manual' });
    expect((await leave(`${origin}/`)).headers.get('location')).toBe(`${origin}/`);
    expect((await leave('https://shop.example/')).headers.get('location')).toBeNull();
  });
});
