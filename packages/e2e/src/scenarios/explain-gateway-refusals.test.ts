import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { checkout, stores } from '@corner/sandbox';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;

beforeAll(async () => {
  environment = await startTestEnvironment({ RATE_LIMITS: 'enforced' });
});
afterAll(async () => {
  await environment?.[Symbol.asyncDispose]();
});

/** What `corner explain` says as an operator elsewhere runs it: the broker's address, and the gateway's log by file or by pipe. */
function explained(requestId: string, how: 'folder' | 'pipe'): Promise<string> {
  return new Promise((resolve) => {
    const main = `${checkout}/packages/cli/src/main.ts`;
    const logs = how === 'pipe' ? '-' : `${environment.folder}/log`;
    const args = [main, 'explain', requestId, '--nats', environment.system.natsUrl, '--logs', logs];
    const child = execFile(process.execPath, args, (_error, output, errors) => resolve(output + errors));
    if (how === 'pipe' && child.stdin) createReadStream(`${environment.folder}/log/gateway.log`).pipe(child.stdin);
  });
}

async function refused(path: string, init: RequestInit = {}): Promise<{ status: number; code: string; requestId: string }> {
  const response = await fetch(`${environment.system.gatewayUrl}${path}`, init);
  const { error } = (await response.json()) as { error?: { code: string; requestId: string } };
  return { status: response.status, code: error?.code ?? '', requestId: error?.requestId ?? '' };
}

const post = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
  body,
});

test('what the gateway refuses itself is explained from its log, by the request id of the answer', async () => {
  const noRoute = await refused('/api/v1/nowhere');
  const tooLarge = await refused('/api/v1/orders', post(`{"a":"${'x'.repeat(2_000_000)}"}`));
  const join = () => refused('/api/v1/queue/join', post(JSON.stringify({ store_id: stores.cuts.id })));
  let limited = await join();
  for (let i = 0; i < 100 && limited.status !== 429; i += 1) limited = await join();
  const queue = environment.system.services.queue;
  queue.kill();
  await queue.exited;
  const away = await refused(`/api/v1/queue/status?store_id=${stores.cuts.id}`);
  await queue.restart();

  const refusals = [noRoute, tooLarge, limited, away];
  expect(refusals.map(({ status }) => status)).toEqual([404, 413, 429, 503]);
  for (const { status, code, requestId } of refusals) {
    const said = [await explained(requestId, 'folder'), await explained(requestId, 'pipe')];
    // A path there is no route for has one refusal, which its status says.
    const named = status === 404 ? 'GET unknown route with 404' : `with ${status} ${code}`;
    for (const text of said) expect(text).toMatch(new RegExp(`gateway answered .*${named} after [\\d.]+ ms`));
    // And what the code means.
    if (status !== 404) for (const text of said) expect(text).toContain(`${code}, answered with ${status}`);
  }
});
