import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { requiredServices } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OwnStore, openStoreLike } from '../testing/own-store.ts';
import { cornerProgram, programEnvironment } from '../testing/run-corner.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
let barber: OwnStore;

beforeAll(async () => {
  environment = await sharedEnvironment();
  barber = await openStoreLike('cuts', environment.system);
  await environment.system.services.gateway.restart({ env: { RATE_LIMITS: 'enforced' } });
});
afterAll(async () => {
  await environment?.system.services.gateway.restart();
});

function explain(requestId: string, logSource: 'folder' | 'pipe', more: readonly string[] = []): Promise<string> {
  return new Promise((resolve) => {
    const logs = logSource === 'pipe' ? '-' : `${environment.folder}/log`;
    const args = [cornerProgram, 'explain', requestId, '--nats', environment.system.natsUrl, '--logs', logs, ...more];
    const env = { ...programEnvironment, SERVICES_LEFT_OUT: 'directory' };
    const child = execFile(process.execPath, args, { env }, (_error, output, errors) => resolve(output + errors));
    if (logSource === 'pipe' && child.stdin) createReadStream(`${environment.folder}/log/gateway.log`).pipe(child.stdin);
  });
}

test('corner explain --json prints one document, also when nothing is on record', async () => {
  const id = randomUUID();
  expect(JSON.parse(await explain(id, 'folder', ['--json']))).toEqual({ id, facts: [], unreachable: [] });
});

async function request(path: string, init: RequestInit = {}): Promise<{ status: number; code: string; requestId: string }> {
  const response = await fetch(`${environment.system.gatewayUrl}${path}`, init);
  const { error } = (await response.json()) as { error?: { code: string; requestId: string } };
  return { status: response.status, code: error?.code ?? '', requestId: error?.requestId ?? '' };
}

/** The gateway writes its log in batches; the line for a body that is too large comes seconds later. */
const untilLogged = (requestId: string): Promise<unknown> =>
  until(
    async () =>
      (await readFile(`${environment.folder}/log/gateway.log`, 'utf8'))
        .split('\n')
        .some((line) => line.includes(requestId) && line.includes('"msg":"request"')),
    { describe: `the line of request ${requestId}` },
  );

const post = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
  body,
});

test('corner explain finds a refusal by the gateway in its log, by the request id of the response', async () => {
  const noRoute = await request('/api/v1/nowhere');
  const tooLarge = await request('/api/v1/orders', post(`{"a":"${'x'.repeat(2_000_000)}"}`));
  const join = () => request('/api/v1/queue/join', post(JSON.stringify({ store_id: barber.id })));
  let limited = await join();
  for (let i = 0; i < 100 && limited.status !== 429; i += 1) limited = await join();
  const queue = environment.system.services.queue;
  await queue.stop();
  const unavailable = await request(`/api/v1/queue/status?store_id=${barber.id}`);
  await queue.restart();

  const refusals = [noRoute, tooLarge, limited, unavailable];
  expect(refusals.map(({ status }) => status)).toEqual([404, 413, 429, 503]);
  for (const { status, code, requestId } of refusals) {
    await untilLogged(requestId);
    const outputs = [await explain(requestId, 'folder'), await explain(requestId, 'pipe')];
    const refusal = status === 404 ? 'GET unknown route with 404' : `with ${status} ${code}`;
    for (const text of outputs) expect(text).toMatch(new RegExp(`gateway answered .*${refusal} after [\\d.]+ ms`));
    if (status !== 404) for (const text of outputs) expect(text).toContain(`${code}, HTTP status ${status}`);
  }
});

test('corner explain prints what the logs say while NATS cannot be reached, and that the services were not asked', async () => {
  const { requestId } = await request('/api/v1/nowhere');
  await untilLogged(requestId);
  const noBroker = ['--nats', 'nats://127.0.0.1:9'];
  const text = await explain(requestId, 'folder', noBroker);
  expect(text).toContain('GET unknown route with 404');
  expect(text).toContain('orders, loyalty, queue, notifications did not reply, so there may be more');
  expect(JSON.parse(await explain(requestId, 'folder', [...noBroker, '--json']))).toMatchObject({
    facts: [{ sentence: expect.stringContaining('GET unknown route with 404') }],
    unreachable: requiredServices.map((service) => ({ service })),
  });
  expect(await explain(randomUUID(), 'folder', noBroker)).toContain('127.0.0.1:9');
});
