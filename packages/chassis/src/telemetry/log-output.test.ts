import { until } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { createLog } from './log.ts';
import { gatherLines } from './log-output.ts';

function gathering() {
  const writes: string[] = [];
  const log = createLog(
    'test',
    'info',
    gatherLines((text) => void writes.push(text)),
  );
  const messages = () => writes.map((text) => Array.from(text.matchAll(/"msg":"([^"]*)"/g), ([, message]) => message));
  return { log, messages };
}

test('lines are written together, in their order, without a flush', async () => {
  const { log, messages } = gathering();
  for (const message of ['one', 'two', 'three']) log.info(message);
  expect(messages()).toEqual([]);
  await until(() => messages().length > 0, { describe: 'the lines to be written' });
  expect(messages()).toEqual([['one', 'two', 'three']]);
});

test.each(['error', 'fatal'] as const)('a line of level %s is written at once, after those before it', (level) => {
  const { log, messages } = gathering();
  log.warn('before');
  log[level]('it broke');
  expect(messages()).toEqual([['before', 'it broke']]);
  log.warn('after');
  expect(messages()).toHaveLength(1);
});

test('lines are written when the log is flushed, once', () => {
  const { log, messages } = gathering();
  log.info('draining');
  log.flush();
  log.flush();
  expect(messages()).toEqual([['draining']]);
});

test('a thousand requests are at most a few dozen writes', () => {
  const { log, messages } = gathering();
  for (let index = 0; index < 1_000; index += 1) log.info({ operation: 'GET /api/v1/orders/{orderId}', status: 200 }, 'request');
  log.flush();
  expect(messages().flat()).toHaveLength(1_000);
  expect(messages().length).toBeLessThan(30);
});
