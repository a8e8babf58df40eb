import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { connectNats } from '@corner/nats';
import { stores } from '@corner/sandbox/demo';
import { openEventStream, tcpProxyTo, until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { decodeJwt } from 'jose';
import type { Browser } from '../testing/browser.ts';
import { startTestConsole, type TestConsole } from '../testing/start-test-console.ts';

const cookie = '__Host-corner';
let one: TestConsole;
let other: TestConsole;
let connection: Awaited<ReturnType<typeof connectNats>>;
let place: { stores: string[]; refuses: boolean };
let idToken = '';
let refreshes = 0;

const gateway = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': request.url?.endsWith('/events') ? 'text/event-stream' : 'application/json' });
    if (request.url?.endsWith('/events')) response.write(':\n\n');
    else response.end(JSON.stringify({ stores: place.stores.map((id) => ({ id, code: 'S1', name: 'Corner', role: 'staff' })) }));
    return;
  }
  const body = (await json(request)) as Record<string, string>;
  if (request.url?.endsWith('/refresh')) refreshes += 1;
  idToken = body.subject_token ?? idToken;
  const { sub = '' } = decodeJwt(idToken);
  const access_token = await one.issuer.token({ typ: 'staff', sub, stores: place.stores });
  const isRefused = place.refuses && request.url?.endsWith('/refresh');
  response
    .writeHead(isRefused ? 401 : 200, { 'content-type': 'application/json' })
    .end(
      JSON.stringify(
        isRefused
          ? { error: { code: 'SESSION_ENDED', message: 'It has ended.', requestId: 'r' } }
          : { access_token, refresh_token: randomUUID(), subject: { id: sub, typ: 'staff', name: 'Cy' } },
      ),
    );
});

beforeAll(async () => {
  gateway.listen(0, '127.0.0.1');
  const { port } = await new Promise<AddressInfo>((resolve) => gateway.once('listening', () => resolve(gateway.address() as AddressInfo)));
  one = await startTestConsole({ env: { CONSOLE_TOKENS: 'exchange', GATEWAY_URL: `http://127.0.0.1:${port}` } });
  other = await replica();
  connection = await connectNats(one.nats.url, 'test');
});
beforeEach(() => {
  [place, refreshes] = [{ stores: [stores.coffee.id], refuses: false }, 0];
});
afterAll(async () => {
  await connection?.close();
  await other?.[Symbol.asyncDispose]();
  await one?.[Symbol.asyncDispose]();
  gateway.close();
  gateway.closeAllConnections();
});

const replica = (env: Record<string, string> = {}) => startTestConsole({ nats: one.nats, env: { ...one.config, ...env } });
const statusOf = async (browser: Browser, path = '/api/me') => (await browser.get(path)).status;
const refused = (browser: Browser) => until(async () => (await statusOf(browser)) === 401, { describe: 'the session to be refused' });
const storesOf = async (browser: Browser) => ((await (await browser.get('/api/me')).json()) as { stores: object[] }).stores.length;
const liveOf = async (browser: Browser, path = `/api/live?store_id=${stores.coffee.id}`) => openEventStream(await browser.get(path));

async function signedIn(at: TestConsole, ...copiesAt: TestConsole[]): Promise<Browser[]> {
  const browser = at.open();
  await browser.signIn('cy');
  return [browser, ...copiesAt.map((console) => copyOf(browser, console))];
}
function copyOf(browser: Browser, at: TestConsole): Browser {
  const copy = at.open();
  copy.cookies.set(cookie, browser.cookies.get(cookie) ?? '');
  return copy;
}
async function publishChange(person: string): Promise<void> {
  await jetstream(connection).publish(`${one.nats.namespace}directory.staff.v1.${person}`, '{}');
}

describe('signing out', () => {
  test('ends copies of the cookie and open streams, at once here, and at every other replica, also one that starts later', async () => {
    const [browser, copy, elsewhere] = (await signedIn(one, one, other)) as [Browser, Browser, Browser];
    const streams = [await liveOf(copy), await liveOf(elsewhere), await liveOf(elsewhere, '/api/v1/orders/board/events')];
    expect((await browser.post('/sign-out')).status).toBe(200);
    expect(await statusOf(copy)).toBe(401);
    await refused(elsewhere);
    for (const stream of streams) await stream.ended().catch(() => {});
    expect(await statusOf(elsewhere, '/api/v1/directory/stores')).toBe(401);
    await using later = await replica();
    const late = copyOf(elsewhere, later);
    await until(async () => (await statusOf(late, '/readyz')) === 200, { describe: 'the replica to be ready' });
    expect(await statusOf(late)).toBe(401);
  });

  test('ends no other session of the person', async () => {
    const [browser, elsewhere] = [await signedIn(one), await signedIn(one, other)];
    await browser[0]?.post('/sign-out');
    for (const kept of elsewhere) expect(await statusOf(kept)).toBe(200);
  });

  test('leaves no id of a session, cookie or person with the broker', async () => {
    const [browser] = (await signedIn(one)) as [Browser];
    const received = connection.subscribe(`${one.nats.namespace}console.>`, { max: 1 });
    await connection.flush();
    await browser.post('/sign-out');
    for await (const { subject, data } of received) {
      expect(subject.replace(one.nats.namespace, '')).toMatch(/^console\.session\.ended\.[0-9a-f]{64}$/);
      expect(data).toHaveLength(0);
    }
  });

  test('says without NATS that other replicas may not know it, ends the session here, and is passed on as soon as NATS is back', async () => {
    await using wayToNats = await tcpProxyTo(one.nats.url);
    await using cutOff = await replica({ NATS_URL: wayToNats.url });
    const [browser, copy, elsewhere] = (await signedIn(cutOff, cutOff, other)) as [Browser, Browser, Browser];
    wayToNats.cut();
    const reply = await browser.post('/sign-out');
    expect([reply.status, await reply.json()]).toMatchObject([503, { error: { message: expect.stringContaining('in this browser') } }]);
    expect(browser.cookies.has(cookie)).toBe(false);
    expect([await statusOf(copy), await statusOf(elsewhere)]).toEqual([401, 200]);
    wayToNats.mend();
    await refused(elsewhere);
  });
});

describe('a replica', () => {
  test('that starts is not ready before it knows which sessions have ended', async () => {
    await using wayToNats = await tcpProxyTo(one.nats.url, { cut: true });
    await using started = await replica({ NATS_URL: wayToNats.url });
    const health = async () => ((await (await started.open().get('/readyz')).json()) as { checks: Record<string, string> }).checks;
    expect([await statusOf(started.open(), '/readyz'), (await health()).ended_sessions]).toEqual([
      503,
      expect.stringContaining('not read'),
    ]);
    wayToNats.mend();
    await until(async () => (await statusOf(started.open(), '/readyz')) === 200, { describe: 'the replica to be ready' });
  });
});

describe('the directory', () => {
  test('that dismisses someone: the store is refused at every replica, and open streams end', async () => {
    const [browser, elsewhere] = (await signedIn(one, other)) as [Browser, Browser];
    const { subject } = (await (await browser.get('/api/me')).json()) as { subject: string };
    const streams = [await liveOf(browser), await liveOf(elsewhere)];
    place.stores = [];
    await publishChange(subject);
    for (const stream of streams) await stream.ended();
    for (const at of [browser, elsewhere]) {
      expect(await statusOf(at, `/api/live?store_id=${stores.coffee.id}`)).toBe(403);
      expect(await storesOf(at)).toBe(0);
    }
  });

  test('that changes a person is asked once for all requests of a moment, and not again', async () => {
    const [browser] = (await signedIn(one)) as [Browser];
    const { subject } = (await (await browser.get('/api/me')).json()) as { subject: string };
    await publishChange(subject);
    const all = () => Promise.all([1, 2, 3, 4].map(() => statusOf(browser)));
    await until(async () => (await all()).every((status) => status === 200) && refreshes > 0, { describe: 'the refresh' });
    const asked = refreshes;
    await all();
    expect([asked, refreshes]).toEqual([1, 1]);
  });

  test('that refuses a refresh token ends the session at every replica', async () => {
    const [browser, elsewhere] = (await signedIn(one, other)) as [Browser, Browser];
    place.refuses = true;
    expect((await browser.post('/session/renew')).status).toBe(401);
    expect(await statusOf(browser)).toBe(401);
    await refused(elsewhere);
  });
});
