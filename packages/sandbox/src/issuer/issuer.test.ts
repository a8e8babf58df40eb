import { execFile } from 'node:child_process';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { createIssuer } from './create-issuer.ts';
import { startIssuer } from './start-issuer.ts';

const now = (): Date => new Date('2026-05-04T10:00:00Z');
const store = '0197a1f0-0000-7000-8000-000000000001';
const bo = { typ: 'merchant', sub: 'bo', stores: [store], name: 'Bo', merchantId: 'm1' } as const;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'issuer-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the development issuer', () => {
  test('its access tokens verify against its published keys and carry the claims that Corner reads', async () => {
    await using issuer = await startIssuer({ now });
    const keys = createRemoteJWKSet(new URL(issuer.jwksUrl));
    const rules = { issuer: issuer.issuer, audience: 'api', algorithms: ['ES256'], currentDate: now() };
    const { payload, protectedHeader } = await jwtVerify(await issuer.token(bo), keys, rules);
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: issuer.jwks.keys[0]?.kid, typ: 'JWT' });
    expect(payload).toEqual({
      iss: 'corner-development',
      aud: 'api',
      sub: 'bo',
      typ: 'merchant',
      scope: 'merchant:read',
      stores: [{ id: store, role: 'owner' }],
      name: 'Bo',
      merchant_id: 'm1',
      iat: now().getTime() / 1000,
      exp: now().getTime() / 1000 + 900,
      jti: expect.any(String),
    });
  });

  test('every token has an id of its own and the requested lifetime and scope', async () => {
    const issuer = await createIssuer({ now });
    const ask = { typ: 'customer', sub: 'ana', ttlSeconds: 60, scope: '' } as const;
    const [one, two] = [decodeJwt(await issuer.token(ask)), decodeJwt(await issuer.token(ask))];
    expect(one.jti).not.toBe(two.jti);
    expect(one).toMatchObject({ exp: (one.iat ?? 0) + 60, scope: '', stores: [] });
  });

  test('its staff sessions last 12 hours and are not access tokens', async () => {
    await using issuer = await startIssuer({ now });
    const keys = createRemoteJWKSet(new URL(issuer.jwksUrl));
    const session = await issuer.staffSessionToken({ sub: 'cy', stores: [store] });
    const { payload } = await jwtVerify(session, keys, { issuer: issuer.issuer, audience: 'staff-session', currentDate: now() });
    expect(payload).toMatchObject({ typ: 'staff', sub: 'cy', stores: [{ id: store, role: 'staff' }], exp: (payload.iat ?? 0) + 12 * 3600 });
    await expect(jwtVerify(session, keys, { audience: 'api', currentDate: now() })).rejects.toMatchObject({
      code: 'ERR_JWT_CLAIM_VALIDATION_FAILED',
    });
  });

  test('it publishes only the public half of the key', async () => {
    await using issuer = await startIssuer({ now });
    const shown = (await (await fetch(issuer.jwksUrl)).json()) as { keys: object[] };
    expect(shown.keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']]);
    expect(await (await fetch(`${issuer.url}/.well-known/openid-configuration`)).json()).toMatchObject({ jwks_uri: issuer.jwksUrl });
    expect((await fetch(`${issuer.url}/keys`)).status).toBe(404);
  });

  test('its key is kept in a file for its owner only, so that tokens survive a restart', async () => {
    const keyFile = join(folder, 'deep', 'key.json');
    const token = await (await createIssuer({ keyFile, now })).token(bo);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    await using again = await startIssuer({ keyFile, now });
    await jwtVerify(token, createRemoteJWKSet(new URL(again.jwksUrl)), { currentDate: now() });
  });

  test('processes that start at the same time share one key', async () => {
    const program = `import { createIssuer } from '${import.meta.dirname}/create-issuer.ts';
      console.log((await createIssuer({ keyFile: '${join(folder, 'shared.json')}' })).jwks.keys[0].kid);`;
    const run = promisify(execFile);
    const all = await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', program])));
    expect(new Set(all.map(({ stdout }) => stdout)).size).toBe(1);
  });

  test('a key file that other users can read is made private', async () => {
    const keyFile = join(folder, 'wide.json');
    await createIssuer({ keyFile });
    chmodSync(keyFile, 0o644);
    await createIssuer({ keyFile });
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  });

  test('a file without a private ES256 key is rejected', async () => {
    const keyFile = join(folder, 'broken.json');
    writeFileSync(keyFile, '{"kty":"oct","k":"AAAA"}');
    await expect(createIssuer({ keyFile })).rejects.toThrow();
  });

  test('it does not start in production', async () => {
    await expect(startIssuer({ env: { NODE_ENV: 'production' } })).rejects.toThrow('NODE_ENV=production');
  });
});
