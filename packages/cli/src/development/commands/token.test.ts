import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { people, stores } from '@corner/sandbox/demo';
import { createIssuer } from '@corner/sandbox/issuer';
import { keyFileIn } from '@corner/sandbox/system';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { parseDuration } from '../../options.ts';
import { Failure } from '../../screen/failure.ts';
import { signToken } from './token.ts';

const data = mkdtempSync(join(tmpdir(), 'corner-'));
let verify: (token: string, audience: string) => Promise<JWTPayload>;

beforeAll(async () => {
  const { jwks, issuer } = await createIssuer({ keyFile: keyFileIn(data), env: {} });
  verify = async (token, audience) => (await jwtVerify(token, createLocalJWKSet(jwks), { issuer, audience })).payload;
});

afterAll(() => rmSync(data, { recursive: true, force: true }));

const lifetimeOf = ({ exp = 0, iat = 0 }: JWTPayload): number => exp - iat;

describe('corner token', () => {
  test('customer signs a token for Ana that is valid for 15 minutes', async () => {
    const claims = await verify(await signToken('customer', { data, store: [] }, {}), 'api');
    expect(claims).toMatchObject({ typ: 'customer', sub: people.ana.id, name: 'Ana', stores: [] });
    expect(lifetimeOf(claims)).toBe(15 * 60);
  });

  test('merchant signs a token for Bo, who owns both stores, with the scope merchant:read', async () => {
    const claims = await verify(await signToken('merchant', { data, store: [] }, {}), 'api');
    expect(claims).toMatchObject({ typ: 'merchant', sub: people.bo.id });
    expect(claims.stores).toEqual([
      { id: stores.coffee.id, role: 'owner' },
      { id: stores.cuts.id, role: 'owner' },
    ]);
    expect(String(claims.scope).split(' ')).toContain('merchant:read');
  });

  test('takes the bearer, stores by code or id, role, scope and lifetime from the options', async () => {
    const sub = '0190a000-0000-7000-8000-00000000c0de';
    const options = {
      data,
      sub,
      store: ['s2', stores.coffee.id],
      role: 'manager',
      scope: 'merchant:read',
      ttl: parseDuration('12h'),
    } as const;
    const claims = await verify(await signToken('staff', options, {}), 'api');
    expect(claims).toMatchObject({ typ: 'staff', sub, scope: 'merchant:read' });
    expect(claims.stores).toEqual([
      { id: stores.cuts.id, role: 'manager' },
      { id: stores.coffee.id, role: 'manager' },
    ]);
    expect(claims.name).toBeUndefined();
    expect(lifetimeOf(claims)).toBe(12 * 3600);
  });

  test('staff-session signs a token with its own audience, which is not an access token', async () => {
    const token = await signToken('staff-session', { data, store: ['S1'] }, {});
    await expect(verify(token, 'api')).rejects.toThrow(/aud/);
    const claims = await verify(token, 'staff-session');
    expect(claims).toMatchObject({ sub: people.cy.id, stores: [{ id: stores.coffee.id, role: 'staff' }] });
    expect(lifetimeOf(claims)).toBe(12 * 3600);
  });

  test('fails for an unknown store and lists the known codes', async () => {
    await expect(signToken('staff', { data, store: ['S9'] }, {})).rejects.toThrow(/no store has the code S9; known codes are S1, S2/);
  });

  test('fails in production', async () => {
    await expect(signToken('customer', { data, store: [] }, { NODE_ENV: 'production' })).rejects.toThrow(Failure);
  });
});

test('a duration is a number and a unit', () => {
  expect([parseDuration('90'), parseDuration('90s'), parseDuration('15m'), parseDuration('7d')]).toEqual([90, 90, 900, 604_800]);
  for (const wrong of ['', '0', '-5m', '1.5h', '3w', 'soon']) expect(() => parseDuration(wrong)).toThrow(/such as 90s/);
});
