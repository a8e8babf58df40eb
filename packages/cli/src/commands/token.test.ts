import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIssuer, keyFileIn, people, stores } from '@corner/sandbox';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { Failure } from '../failure.ts';
import { parseTtl } from '../parse-ttl.ts';
import { signToken } from './token.ts';

const data = mkdtempSync(join(tmpdir(), 'corner-'));
let verify: (token: string, audience: string) => Promise<JWTPayload>;

beforeAll(async () => {
  // The key the services are shown.
  const { jwks, issuer } = await createIssuer({ keyFile: keyFileIn(data), env: {} });
  verify = async (token, audience) => (await jwtVerify(token, createLocalJWKSet(jwks), { issuer, audience })).payload;
});

afterAll(() => rmSync(data, { recursive: true, force: true }));

const lifeOf = ({ exp = 0, iat = 0 }: JWTPayload): number => exp - iat;

describe('corner token', () => {
  test('customer: ana, for a quarter of an hour', async () => {
    const claims = await verify(await signToken('customer', { data, store: [] }, {}), 'api');
    expect(claims).toMatchObject({ typ: 'customer', sub: people.ana.id, name: 'Ana', stores: [] });
    expect(lifeOf(claims)).toBe(15 * 60);
  });

  test('merchant: bo, who owns both stores and may read customers', async () => {
    const claims = await verify(await signToken('merchant', { data, store: [] }, {}), 'api');
    expect(claims).toMatchObject({ typ: 'merchant', sub: people.bo.id });
    expect(claims.stores).toEqual([
      { id: stores.coffee.id, role: 'owner' },
      { id: stores.cuts.id, role: 'owner' },
    ]);
    expect(String(claims.scope).split(' ')).toContain('merchant:read');
  });

  test('takes bearer, stores by code or id, role, scope and time from the options', async () => {
    const sub = '0190a000-0000-7000-8000-00000000c0de';
    const options = { data, sub, store: ['s2', stores.coffee.id], role: 'manager', scope: 'merchant:read', ttl: parseTtl('12h') } as const;
    const claims = await verify(await signToken('staff', options, {}), 'api');
    expect(claims).toMatchObject({ typ: 'staff', sub, scope: 'merchant:read' });
    expect(claims.stores).toEqual([
      { id: stores.cuts.id, role: 'manager' },
      { id: stores.coffee.id, role: 'manager' },
    ]);
    expect(claims.name).toBeUndefined();
    expect(lifeOf(claims)).toBe(12 * 3600);
  });

  test('staff-session is no access token', async () => {
    const token = await signToken('staff-session', { data, store: ['S1'] }, {});
    await expect(verify(token, 'api')).rejects.toThrow(/aud/);
    const claims = await verify(token, 'staff-session');
    expect(claims).toMatchObject({ sub: people.cy.id, stores: [{ id: stores.coffee.id, role: 'staff' }] });
    expect(lifeOf(claims)).toBe(12 * 3600);
  });

  test('refuses a store nobody knows, and says which are known', async () => {
    await expect(signToken('staff', { data, store: ['S9'] }, {})).rejects.toThrow(/no store has the code S9; known are S1, S2/);
  });

  test('refuses production', async () => {
    await expect(signToken('customer', { data, store: [] }, { NODE_ENV: 'production' })).rejects.toThrow(Failure);
  });
});

test('a time is a number and a unit', () => {
  expect([parseTtl('90'), parseTtl('90s'), parseTtl('15m'), parseTtl('7d')]).toEqual([90, 90, 900, 604_800]);
  for (const wrong of ['', '0', '-5m', '1.5h', '3w', 'soon']) expect(() => parseTtl(wrong)).toThrow(/like 90s/);
});
