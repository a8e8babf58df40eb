import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLog } from '@corner/chassis/edge';
import { type AnyOperation, operations } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterEach, describe, expect, test } from '@jest/globals';
import { call, type HttpResponse, open, readResponse, responseTo } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { bodyOf, deadAddress, startSilent, startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

async function startReplica(name: string, { host = '127.0.0.1', port = 0 } = {}): Promise<TestReplica> {
  const child = fork(`${import.meta.dirname}/../testing/replica-process.ts`, [name, host, String(port)], { execArgv: [] });
  children.push(child);
  const [{ port: listening }] = (await once(child, 'message')) as [AddressInfo];
  return { child, port: listening, url: `http://${host}:${listening}` };
}

interface TestReplica {
  readonly child: ChildProcess;
  readonly port: number;
  readonly url: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: object;
}

const get = (gateway: { readonly url: string }) => call(`${gateway.url}/api/v1/orders`);

const operationThat = (replay: AnyOperation['replay']): AnyOperation =>
  operations.find(
    (operation) => operation.service === 'orders' && operation.method === 'POST' && operation.replay === replay,
  ) as AnyOperation;
const pathOf = ({ path }: AnyOperation) => path.replaceAll(/\{\w+\}/g, randomUUID());

/** Sends reads and repeatable writes, eight at a time, until it is stopped. */
function runLoad(gateway: { readonly url: string }): { readonly served: string[]; readonly failed: unknown[]; stop(): Promise<void> } {
  const [served, failed]: [string[], unknown[]] = [[], []];
  const path = pathOf(operationThat('header'));
  let running = true;
  const work = async (worker: number) => {
    for (let count = 0; running; count += 1) {
      const writes = (worker + count) % 2 === 0;
      const sent = writes ? { method: 'POST', headers: { 'idempotency-key': randomUUID(), 'content-length': 2 }, body: '{}' } : {};
      const response = await call(`${gateway.url}${writes ? path : '/api/v1/orders'}`, sent);
      if (response.status === 200) served.push(response.text);
      else failed.push(response.text);
    }
  };
  const workers = Array.from({ length: 8 }, (_, worker) => work(worker));
  return {
    served,
    failed,
    async stop() {
      running = false;
      await Promise.all(workers);
    },
  };
}

async function untilServedBy(load: { readonly served: readonly string[] }, names: readonly string[]): Promise<void> {
  const from = load.served.length;
  await until(() => names.every((name) => load.served.includes(name, from)), { describe: `answers of ${names.join(' and ')}` });
}

const withoutLimits = { RATE_LIMITS: 'off' };

describe('with two replicas under load', () => {
  test('one that is killed fails no read and no write with a key, and gets requests again once it is back', async () => {
    const [a, b] = [await startReplica('a'), await startReplica('b')];
    await using gateway = await startTestGateway({ url: `${a.url},${b.url}` }, withoutLimits);
    const load = runLoad(gateway);
    await untilServedBy(load, ['a', 'b']);
    a.child.kill('SIGKILL');
    await once(a.child, 'exit');
    await untilServedBy(load, ['b']);
    const checks = async () => (await call(`${gateway.url}/readyz`)).json.checks.orders;
    await until(async () => (await checks()) === '1 of 2 replicas out: ECONNREFUSED', { describe: 'the replica to be out' });
    await startReplica('a again', { port: a.port });
    await untilServedBy(load, ['a again', 'b']);
    await load.stop();
    expect(load.failed).toEqual([]);
  });

  test('one that drains gets no new requests, and may then stop without a failure', async () => {
    const [a, b] = [await startReplica('a'), await startReplica('b')];
    await using gateway = await startTestGateway({ url: `${a.url},${b.url}` }, withoutLimits);
    const load = runLoad(gateway);
    await untilServedBy(load, ['a', 'b']);
    a.child.kill('SIGTERM');
    const checks = async () => (await call(`${gateway.url}/readyz`)).json.checks.orders;
    await until(async () => (await checks()) === '1 of 2 replicas out: draining', { describe: 'the replica to be out' });
    const served = await Promise.all(Array.from({ length: 16 }, () => get(gateway)));
    expect(new Set(served.map(({ text }) => text))).toEqual(new Set(['b']));
    a.child.send('stop');
    expect(await once(a.child, 'exit')).toEqual([0, null]);
    await untilServedBy(load, ['b']);
    await load.stop();
    expect(load.failed).toEqual([]);
  });
});

test('a replica whose machine is gone, with connections open, costs no read and no write with a key', async () => {
  const path = pathOf(operationThat('header'));
  await using gone = await startSilent();
  await using alive = await startUpstream();
  await using gateway = await startTestGateway({ url: `${gone.url},${alive.url}` }, { ...withoutLimits, UPSTREAM_TIMEOUT_MS: '15000' });
  const write = () => ({ method: 'POST', headers: { 'idempotency-key': randomUUID(), 'content-length': 2 }, body: '{}' });
  const all = [1, 2, 3].flatMap(() => [get(gateway), call(`${gateway.url}${path}`, write())]);
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
  expect((await call(`${gateway.url}/readyz`)).json.checks.orders).toBe('1 of 2 replicas out: TimeoutError');
});

test('a connection that breaks costs its own request a repeat, and no other one of its replica', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const respond: TestUpstream['respond'] = (_request, response) => void released.then(() => response.end('done'));
  await using a = await startUpstream(respond);
  await using b = await startUpstream(respond);
  await using gateway = await startTestGateway({ url: `${a.url},${b.url}` }, withoutLimits);
  const all = Array.from({ length: 6 }, () => get(gateway));
  await until(() => a.seen.length === 3 && b.seen.length === 3, { describe: 'three requests at each' });
  a.seen[0]?.socket.destroy();
  await until(() => b.seen.length > 3, { describe: 'the repeat at the other replica' });
  release();
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
  expect([a.seen.length, b.seen.length]).toEqual([3, 4]);
});

describe('a replica that refuses connections', () => {
  test('costs no request, of whatever kind and body', async () => {
    await using alive = await startUpstream(async (request, response) => void response.end(await bodyOf(request)));
    const urls = `${await deadAddress()},${await deadAddress()},${alive.url}`;
    for (let round = 0; round < 3; round += 1) {
      await using gateway = await startTestGateway({ url: urls });
      const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST' });
      const head = responseTo(request);
      request.write('in two ');
      request.end('parts');
      expect(await readResponse(await head)).toMatchObject({ status: 200, text: 'in two parts' });
      expect(await get(gateway)).toMatchObject({ status: 200 });
    }
  });

  test('is a 503 with Retry-After when no other is left', async () => {
    await using gateway = await startTestGateway({ url: `${await deadAddress()},${await deadAddress()}` });
    for (let round = 0; round < 3; round += 1)
      expect(await get(gateway)).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1' },
        json: { error: { code: 'UPSTREAM_UNAVAILABLE' } },
      });
  });
});

test('a replica that is out is logged once, by its service, and no field of the line is there twice', async () => {
  const lines: string[] = [];
  const log = createLog('gateway', 'warn', { write: (line: string) => void lines.push(line) });
  await using gateway = await startTestGateway({ url: await deadAddress() }, {}, { log });
  await get(gateway);
  await get(gateway);
  const out = lines.filter((line) => line.includes('a replica is out'));
  expect(out.map((line) => JSON.parse(line))).toMatchObject([{ service: 'gateway', upstream: 'orders', fault: 'ECONNREFUSED' }]);
  const names = [...(out[0] ?? '').matchAll(/[{,]"(\w+)":/g)].map(([, name]) => name);
  expect(names).toEqual([...new Set(names)]);
});

test('a replica with 1,024 requests under way is refused more, which is logged once', async () => {
  const lines: string[] = [];
  const log = createLog('gateway', 'warn', { write: (line: string) => void lines.push(line) });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let underway = 0;
  await using upstream = await startUpstream(async (_request, response) => {
    underway += 1;
    void released.then(() => response.end('done'));
  });
  await using gateway = await startTestGateway(upstream, { RATE_LIMITS: 'off' }, { log });
  const refused: HttpResponse[] = [];
  const send = async () => {
    const answer = await get(gateway);
    if (answer.status !== 200) refused.push(answer);
  };
  const all: Promise<void>[] = [];
  // The gateway's 256 connections are opened a few at a time: a busy machine would not open all of them within their limit of five seconds.
  while (all.length < 256) {
    all.push(...Array.from({ length: 32 }, send));
    await until(async () => underway === all.length, { describe: `${all.length} requests under way` });
  }
  all.push(...Array.from({ length: 1_027 - 256 }, send));
  await until(async () => refused.length === 3, { describe: 'the refusals of three' });
  release();
  await Promise.all(all);
  const refusal = { status: 503, headers: { 'retry-after': '1' }, json: { error: { code: 'UPSTREAM_UNAVAILABLE' } } };
  expect(refused).toMatchObject([refusal, refusal, refusal]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ upstream: 'orders', underway: 1_024, level: 'error' }]);
  expect(await get(gateway)).toMatchObject({ status: 200 });
});

describe('a request that was sent and got no response', () => {
  const header = operationThat('header');
  const key = { 'idempotency-key': randomUUID() };

  test.each([
    ['a read', 'GET', '/api/v1/orders', {}, true],
    ['a write with an Idempotency-Key', 'POST', pathOf(header), { ...key, 'content-length': '2' }, true],
    ['a write with its key in the body', 'POST', operationThat('body').path, { 'content-length': '2' }, true],
    ['a write without a key', 'POST', pathOf(header), { 'content-length': '2' }, false],
    ['a write with a key where none is read', 'POST', '/webhooks/stripe', { ...key, 'content-length': '2' }, false],
    ['a write whose length is not announced', 'POST', pathOf(header), key, true],
  ])('is sent to another replica: %s', async (_, method, path, headers, again) => {
    const seen: string[] = [];
    const respond = async (request: Parameters<typeof bodyOf>[0], response: { end(text: string): void }) => {
      seen.push((await bodyOf(request)).toString());
      if (seen.length === 1) request.socket.destroy();
      else response.end('served');
    };
    await using a = await startUpstream(respond as never);
    await using b = await startUpstream(respond as never);
    await using gateway = await startTestGateway({ url: `${a.url},${b.url}` });
    const request = open(`${gateway.url}${path}`, { method, headers });
    const head = responseTo(request);
    if (method === 'POST') request.write('{}');
    request.end();
    expect((await head).statusCode).toBe(again ? 200 : 503);
    expect(seen).toEqual(Array(again ? 2 : 1).fill(method === 'POST' ? '{}' : ''));
    expect([a.seen.length, b.seen.length].toSorted()).toEqual(again ? [1, 1] : [0, 1]);
  });

  /**
   * Sends a write with a key through a gateway with two replicas. The first that gets it breaks the connection; the nth attempt after it
   * gets the nth of the answers, null for a connection that breaks too; the last answer repeats. `seen` counts the attempts.
   */
  async function writeAfterLoss(answers: readonly (Answer | null)[], env: Readonly<Record<string, string>> = {}) {
    let seen = 0;
    const respond: TestUpstream['respond'] = async (incoming, response) => {
      await bodyOf(incoming);
      const answer = answers[Math.min(seen, answers.length) - 1];
      seen += 1;
      if (answer) response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.json));
      else incoming.socket.destroy();
    };
    await using a = await startUpstream(respond);
    await using b = await startUpstream(respond);
    await using gateway = await startTestGateway({ url: `${a.url},${b.url}` }, env);
    const write = { method: 'POST', headers: { ...key, 'content-length': 2 }, body: '{}' };
    const [response, attempts] = [await call(`${gateway.url}${pathOf(header)}`, write), seen];
    return { response, attempts, ownRepeat: await call(`${gateway.url}${pathOf(header)}`, write) };
  }
  const inProgress = { status: 409, headers: { 'retry-after': '1' }, json: { error: { code: 'IDEMPOTENCY_IN_PROGRESS' } } };

  test('is asked for again while the lost attempt is in progress, and its caller gets the result', async () => {
    const done = { status: 200, headers: { 'idempotent-replayed': 'true' }, json: { done: true } };
    const { response, attempts } = await writeAfterLoss([inProgress, null, inProgress, done]);
    expect(response).toMatchObject(done);
    expect(attempts).toBe(5);
  });

  test('is asked for within the time limit only, and the repeat of its caller gets the conflict', async () => {
    const { response, ownRepeat } = await writeAfterLoss([inProgress], { UPSTREAM_TIMEOUT_MS: '1500' });
    expect(response).toMatchObject({ status: 503, json: { error: { code: 'UPSTREAM_UNAVAILABLE' } } });
    expect(ownRepeat).toMatchObject(inProgress);
  });

  test('gets any other conflict as the service sent it', async () => {
    const settled = { status: 409, headers: { 'retry-after': '30', 'x-from': 'service' }, json: { error: { code: 'SLOT_JUST_FILLED' } } };
    const { response, attempts } = await writeAfterLoss([settled]);
    expect(response).toMatchObject(settled);
    expect(attempts).toBe(2);
  });

  test('is sent to two other replicas at most, and not again once a response has begun', async () => {
    const lost = async () => await startUpstream((request) => void request.socket.destroy());
    await using a = await lost();
    await using b = await lost();
    await using c = await lost();
    await using d = await lost();
    const all = [a, b, c, d];
    await using gateway = await startTestGateway({ url: all.map(({ url }) => url).join() });
    expect((await get(gateway)).status).toBe(503);
    expect(all.map(({ seen }) => seen.length).toSorted()).toEqual([0, 1, 1, 1]);
    for (const upstream of all) upstream.respond = (request, response) => void response.write('half', () => request.socket.destroy());
    const sent = all.reduce((sum, { seen }) => sum + seen.length, 0);
    await expect(get(gateway)).rejects.toThrow(/aborted/);
    expect(all.reduce((sum, { seen }) => sum + seen.length, 0)).toBe(sent + 1);
  });
});

test('a name stands for all its addresses, and is looked up again', async () => {
  const a = await startReplica('a', { host: '127.0.0.1' });
  await startReplica('b', { host: '127.0.0.2', port: a.port });
  let addresses = ['127.0.0.1'];
  const lookup = async () => addresses.map((address) => ({ address, family: 4 }));
  await using gateway = await startTestGateway({ url: `http://orders.corner.test:${a.port}` }, withoutLimits, { lookup });
  await until(async () => (await get(gateway)).text === 'a', { describe: 'an answer of the only address' });
  addresses = ['127.0.0.1', '127.0.0.2'];
  const load = runLoad(gateway);
  await untilServedBy(load, ['a', 'b']);
  addresses = ['127.0.0.2'];
  await until(async () => (await call(`${gateway.url}/readyz`)).json.checks.orders === 'ok' && (await sameAnswers(gateway)) === 'b', {
    describe: 'answers of the address that is left',
  });
  await load.stop();
  expect(load.failed).toEqual([]);
});

/** Null when the responses differ. */
async function sameAnswers(gateway: { readonly url: string }): Promise<string | null> {
  const texts = new Set<string>();
  for (let count = 0; count < 6; count += 1) texts.add((await get(gateway)).text);
  return texts.size === 1 ? ([...texts][0] ?? null) : null;
}
