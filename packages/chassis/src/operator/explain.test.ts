import { randomUUID } from 'node:crypto';
import { explain, Problem } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { recordRefusals } from '../http/refusals.ts';
import { createCall } from '../rpc/call.ts';
import type { RunningService } from '../service.ts';
import { type Platform, preparePlatform } from '../testing/platform.ts';
import { type ProducerContext, producer } from '../testing/services.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let sentencesOf: (id: string) => Promise<string[]>;

beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start(producer());
  const { broker } = await orders.backbone;
  const call = createCall(() => broker);
  sentencesOf = async (id) => (await call(explain('orders'), { ids: [id] })).facts.map(({ sentence }) => sentence);
});

afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

async function refused(path: string): Promise<string> {
  const response = await fetch(`${orders.url}${path}`);
  const { error } = (await response.json()) as { error: { requestId: string } };
  await until(async () => (await sentencesOf(error.requestId)).length > 0, { describe: 'on record' });
  return error.requestId;
}

test('a refusal is found by the request id in its body, with the message that the caller read', async () => {
  const id = await refused('/api/v1/greeting?fail=nonsense');
  expect(await sentencesOf(id)).toEqual([
    expect.stringMatching(/^orders responded to GET \/api\/v1\/greeting with 400 VALIDATION_FAILED: query\.fail: /),
  ]);
  expect(await sentencesOf(randomUUID())).toEqual([]);
});

test('an internal error is named by its place in the code, without its message', async () => {
  const [sentence = ''] = await sentencesOf(await refused('/api/v1/greeting?fail=bug'));
  expect(sentence).toMatch(/with 500 INTERNAL: .* Error at packages\/chassis\/src\/testing\/services\.ts:\d+; the log has the rest\.$/);
  expect(sentence).not.toContain('hunter2');
});

test('a flood of refusals is bounded, and a stop writes those that were collected', async () => {
  const recorded = () =>
    orders.database.oneFirst(sql.type(z.object({ count: z.number() }))`select count(*) from refusal where code = 'RATE_LIMITED'`);
  {
    await using refusals = recordRefusals(orders.database, orders.log);
    for (let i = 0; i < 1_000; i += 1)
      refusals.record({
        requestId: `flood-${i}`,
        at: new Date(),
        operation: 'GET /x',
        problem: new Problem('RATE_LIMITED'),
        message: 'Too many.',
        orderId: null,
        storeId: null,
        traceId: null,
      });
    expect(await recorded()).toBe(0);
  }
  expect(await recorded()).toBe(100);
  expect(platform.lines).toContainEqual(expect.objectContaining({ dropped: 900 }));
});
