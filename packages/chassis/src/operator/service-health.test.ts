import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { startKeyIssuer } from '../testing/key-issuer.ts';
import { type Platform, preparePlatform } from '../testing/platform.ts';
import { producer } from '../testing/services.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await preparePlatform();
});
afterAll(async () => {
  await platform[Symbol.asyncDispose]();
});

test('a replica is ready while more wait for a connection than can have one in time', async () => {
  await using orders = await platform.start(producer(), {}, { DATABASE_POOL_SIZE: '2' });
  let busy = true;
  // 500 callers share two connections, so each waits 2.5 seconds for one; a check waits two at most.
  const keepBusy = async () => {
    while (busy) await orders.database.query(sql.type(z.object({}))`select pg_sleep(0.01)`).catch(() => {});
  };
  const callers = Array.from({ length: 500 }, keepBusy);
  try {
    await until(async () => (await fetch(`${orders.url}/readyz`)).status === 200, { describe: 'the replica to be ready' });
    expect(orders.database.state().waiting).toBeGreaterThan(400);
  } finally {
    busy = false;
  }
  await Promise.all(callers);
});

test('a replica that never had the keys of tokens is not ready; once it had them, it stays so while their issuer is away', async () => {
  using issuer = await startKeyIssuer();
  const answer = issuer.respond;
  issuer.respond = () => ({ status: 503, body: '' });
  await using orders = await platform.start(producer(), {}, { AUTH_JWKS_URL: issuer.jwksUrl });
  const health = async () => {
    const response = await fetch(`${orders.url}/readyz`);
    return { status: response.status, checks: ((await response.json()) as { checks: Record<string, string> }).checks };
  };
  const without = await health();
  expect([without.status, without.checks.keys]).toEqual([503, 'never fetched, so no token can be verified: the issuer responded 503']);
  issuer.respond = answer;
  await until(async () => (await health()).status === 200, { describe: 'the replica to fetch the keys' });
  issuer.respond = () => ({ status: 503, body: '' });
  expect((await health()).checks.keys).toBe('ok');
});

test('a service that signs the tokens is ready without their keys, which the others fetch from it', async () => {
  await using directory = await platform.start({ ...producer(), signsTokens: true }, {}, { AUTH_JWKS_URL: 'http://127.0.0.1:9/keys' });
  const response = await fetch(`${directory.url}/readyz`);
  expect([response.status, ((await response.json()) as { checks: Record<string, string> }).checks.keys]).toEqual([
    200,
    expect.stringMatching(/^never fetched/),
  ]);
});
