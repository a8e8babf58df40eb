import { Problem, type ProblemCode, problems } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningService } from '../service.ts';
import { newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { send, type TestRequest } from '../testing/send.ts';
import { type ProducerContext, producer } from '../testing/services.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let merchant: string;
let hold: () => Promise<void> = async () => {};

beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start(producer(() => hold()));
  merchant = await platform.issuer.token({ typ: 'merchant', sub: newThing(), stores: [{ id: storeId, role: 'owner' }] });
});

afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const change = (thing: string, request: TestRequest = {}) =>
  send(`${orders.url}/api/v1/things/${thing}`, { method: 'POST', token: merchant, body: { store_id: storeId }, ...request });

describe('an Idempotency-Key', () => {
  test('gives a repeat the first response, byte for byte, without a second change', async () => {
    const [thing, key] = [newThing(), newThing()];
    const first = await change(thing, { headers: { 'idempotency-key': key } });
    const repeated = await change(thing, { headers: { 'idempotency-key': `"${key}"` } });
    expect(repeated.text).toBe(first.text);
    expect([first.headers.get('idempotent-replayed'), repeated.headers.get('idempotent-replayed')]).toEqual([null, 'true']);
    expect((await change(thing)).json).toMatchObject({ version: 2 });
  });

  test('gives a repeat the same refusal of the operation', async () => {
    const request = { body: { store_id: storeId, note: 'refuse' }, headers: { 'idempotency-key': newThing() } };
    const thing = newThing();
    await change(thing, request);
    expect(await change(thing, request)).toMatchObject({ status: 404, json: { error: { code: 'ORDER_NOT_FOUND' } } });
  });

  test.each(Object.entries(problems).map(([code, { final }]) => [code as ProblemCode, final ? 'final' : 'passing'] as const))(
    'keeps a refusal only when it is final: %s is %s',
    async (code, mark) => {
      const [thing, headers] = [newThing(), { 'idempotency-key': newThing() }];
      hold = async () => {
        throw new Problem(code);
      };
      const first = await change(thing, { headers });
      hold = async () => {};
      expect(first).toMatchObject({ status: problems[code].status, json: { error: { code } } });
      const repeated = await change(thing, { headers });
      expect(repeated).toMatchObject(mark === 'final' ? { status: first.status, json: { error: { code } } } : { status: 200 });
      expect(repeated.headers.get('idempotent-replayed')).toBe(mark === 'final' ? 'true' : null);
    },
  );

  test('never keeps a refusal that says when to try again, not even one that is final', async () => {
    const [thing, headers] = [newThing(), { 'idempotency-key': newThing() }];
    hold = async () => {
      throw new Problem('STAMP_NOT_FOUND', { retryAfterSeconds: 2 });
    };
    expect((await change(thing, { headers })).headers.get('retry-after')).toBe('2');
    hold = async () => {};
    expect(await change(thing, { headers })).toMatchObject({ status: 200 });
  });

  test('does not keep a 200 that says no for now', async () => {
    const [thing, key] = [newThing(), newThing()];
    const passing = { body: { store_id: storeId, note: 'not kept' }, headers: { 'idempotency-key': key } };
    expect((await change(thing, passing)).json).toMatchObject({ version: 1 });
    expect((await change(thing, passing)).json).toMatchObject({ version: 2 });
  });

  test('is refused with another request', async () => {
    const [thing, key] = [newThing(), newThing()];
    await change(thing, { headers: { 'idempotency-key': key } });
    expect(await change(thing, { body: { store_id: storeId, note: 'other' }, headers: { 'idempotency-key': key } })).toMatchObject({
      status: 422,
      json: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } },
    });
  });

  test('takes a field that is null and one that is absent for the same request', async () => {
    const [thing, headers] = [newThing(), { 'idempotency-key': newThing() }];
    const first = await change(thing, { headers });
    const repeated = await change(thing, { body: { note: null, store_id: storeId }, headers });
    expect([repeated.status, repeated.text]).toEqual([200, first.text]);
  });

  test('gives a repeat 409 with Retry-After while the first request is in progress', async () => {
    const [thing, key] = [newThing(), newThing()];
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      hold = async () => {
        resolve();
        await held;
      };
    });
    const first = change(thing, { headers: { 'idempotency-key': key } });
    await reached;
    const repeat = await change(thing, { headers: { 'idempotency-key': key } });
    hold = async () => {};
    release();
    expect(repeat).toMatchObject({ status: 409, json: { error: { code: 'IDEMPOTENCY_IN_PROGRESS' } } });
    expect(repeat.headers.get('retry-after')).toBe('1');
    expect(await first).toMatchObject({ status: 200, json: { version: 1 } });
  });

  test('belongs to its caller: the same key of another caller is another request', async () => {
    const [thing, key] = [newThing(), newThing()];
    const other = await platform.issuer.token({ typ: 'merchant', sub: newThing(), stores: [{ id: storeId, role: 'owner' }] });
    await change(thing, { headers: { 'idempotency-key': key } });
    expect((await change(thing, { token: other, headers: { 'idempotency-key': key } })).json).toMatchObject({ version: 2 });
  });

  test('has one effect under 50 concurrent repeats', async () => {
    const [thing, key] = [newThing(), newThing()];
    const responses = await Promise.all(Array.from({ length: 50 }, () => change(thing, { headers: { 'idempotency-key': key } })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(
      new Set(responses.some(({ status }) => status === 409) ? [200, 409] : [200]),
    );
    expect(new Set(responses.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    expect((await change(thing)).json).toMatchObject({ version: 2 });
  });

  test('is refused when it is not visible ASCII', async () => {
    expect(await change(newThing(), { headers: { 'idempotency-key': 'a b' } })).toMatchObject({
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED' } },
    });
  });
});
