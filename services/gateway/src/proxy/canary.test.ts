import { createLog } from '@corner/chassis/edge';
import { until } from '@corner/testkit';
import { describe, expect, test } from '@jest/globals';
import { call } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { deadAddress, startUpstream } from '../testing/test-upstream.ts';
import { type Counted, count, countedNone, isChosen, whyTakeBack } from './canary.ts';

const own = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';

const counted = (fast: number, { slow = 0, failed = 0 } = {}): Counted => {
  const times = (number: number, before: Counted, isFailure: boolean, ms: number) =>
    Array.from({ length: number }).reduce<Counted>((sum) => count(sum, isFailure, ms), before);
  return times(failed, times(slow, times(fast, countedNone, false, 20), false, 900), true, 20);
};

describe('a new version is taken back', () => {
  test.each([
    ['that never failed', counted(500), counted(500), null],
    ['with four failures', counted(10, { failed: 4 }), counted(500), null],
    ['with five failures of 15', counted(10, { failed: 5 }), counted(500), '5 of 15 requests failed, of the others 0 of 500'],
    ['that fails as the others do', counted(80, { failed: 20 }), counted(400, { failed: 100 }), null],
    ['with five failures of 1,000', counted(995, { failed: 5 }), counted(500), null],
    ['of which 4 % are slow', counted(96, { slow: 4 }), counted(500), null],
    ['of which 6 % are slow', counted(94, { slow: 6 }), counted(500), 'one of 20 requests takes over 512 ms, of the others 16 ms'],
    ['that is slow as the others are', counted(50, { slow: 50 }), counted(250, { slow: 250 }), null],
    ['that is slow, after 99 requests', counted(0, { slow: 99 }), counted(500), null],
  ])('%s', (_name, canary, others, why) => {
    expect(whyTakeBack(canary, others)).toBe(why);
  });
});

test('a share of the stores is chosen, the same ones again, and those stay in a greater share', () => {
  const ids = Array.from({ length: 2_000 }, (_, n) => `${own.slice(0, -4)}${String(n).padStart(4, '0')}`);
  const at = (percent: number) => ids.filter((id) => isChosen(id, { service: 'orders', percent, stores: new Set() }));
  const [some, more] = [at(5), at(20)];
  expect(some.length).toBeGreaterThan(60);
  expect(some.length).toBeLessThan(140);
  expect(more).toEqual(expect.arrayContaining(some));
  expect([at(0), at(100)]).toEqual([[], ids]);
});

const named = (name: string) => startUpstream((_request, response) => void response.setHeader('x-version', name).end('{}'));

async function startTrial(env: Readonly<Record<string, string>> = {}) {
  const parts = new AsyncDisposableStack();
  const [others, candidate] = [parts.use(await named('running')), parts.use(await named('new'))];
  const gateway = parts.use(
    await startTestGateway(
      others,
      { CANARY: `orders=${candidate.url}`, CANARY_STORES: own, RATE_LIMITS: 'off', ...env },
      { log: createLog('gateway', 'silent') },
    ),
  );
  const versionOf = async (path: string, body?: object) => {
    const sent = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await call(`${gateway.url}${path}`, sent)).headers['x-version'];
  };
  const health = async () => JSON.parse((await call(`${gateway.url}/readyz`)).text).checks?.canary;
  return { others, candidate, versionOf, health, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

describe('the requests of a chosen store', () => {
  test('go to the new version by path, query and body, and those of others, of no store and of other services do not', async () => {
    await using trial = await startTrial();
    const versions = async (storeId: string) => [
      await trial.versionOf(`/api/v1/orders/stores/${storeId}/menu`),
      await trial.versionOf(`/api/v1/orders/board?store_id=${storeId}`),
      await trial.versionOf('/api/v1/orders', { store_id: storeId.toUpperCase() }),
    ];
    expect(await versions(own)).toEqual(['new', 'new', 'new']);
    expect(await versions(other)).toEqual(['running', 'running', 'running']);
    expect(await trial.versionOf('/api/v1/orders')).toBe('running');
    expect(await trial.versionOf(`/api/v1/queue/stores/${own}`)).toBe('running');
  });

  test('go to the running version when the new one cannot be reached', async () => {
    await using trial = await startTrial({ CANARY: `orders=${await deadAddress()}` });
    const versions = await Promise.all(Array.from({ length: 4 }, () => trial.versionOf(`/api/v1/orders/stores/${own}/menu`)));
    expect(versions).toEqual(['running', 'running', 'running', 'running']);
    await until(async () => /ECONNREFUSED|taken back/.test(await trial.health()), { describe: 'the check of the new version' });
  });

  test('are taken back once five have failed, which /readyz says', async () => {
    await using trial = await startTrial();
    const path = `/api/v1/orders/stores/${own}/menu`;
    expect([await trial.versionOf(path), await trial.health()]).toEqual(['new', 'ok']);
    trial.candidate.respond = (_request, response) => void response.writeHead(500, { 'x-version': 'new' }).end('{}');
    const versions: unknown[] = [];
    for (let n = 0; n < 7; n += 1) versions.push(await trial.versionOf(path));
    expect(versions).toEqual(['new', 'new', 'new', 'new', 'new', 'running', 'running']);
    expect(await trial.health()).toBe('taken back: 5 of 6 requests failed, of the others 0 of 0');
  });
});
