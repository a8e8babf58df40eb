import { randomUUID } from 'node:crypto';
import { directoryStore, explain, listMessages, rpcSubject } from '@corner/contracts';
import { people, stores } from '@corner/sandbox/demo';
import { envelopeOf, until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from '../testing/browser.ts';
import { startTestConsole, type TestConsole } from '../testing/start-test-console.ts';
import { poison, startTestShop, type TestShop } from '../testing/start-test-shop.ts';

const secrets = ['ana.secret@mail.example', '+44 7700 900123', 'Secret Person'];
const deadLetters = '/api/operator/dead-letters';
let shop: TestShop;
let tested: TestConsole;
let olu: Browser;
let pia: Browser;
let bo: Browser;

beforeAll(async () => {
  shop = await startTestShop();
  const { NATS_URL = '', NATS_NAMESPACE = '' } = shop.environment;
  tested = await startTestConsole({
    nats: { url: NATS_URL, namespace: NATS_NAMESPACE },
    env: { RPC_DEADLINE_FACTOR: '3', SERVICES_LEFT_OUT: 'directory', TRACE_URL: 'https://jaeger.example/trace/{trace_id}' },
  });
  [olu, pia, bo] = [tested.open(), tested.open(), tested.open()];
  await olu.signIn('olu');
  await pia.signIn('pia');
  await bo.signIn('bo');
});
afterAll(async () => {
  await tested?.[Symbol.asyncDispose]();
  await shop?.[Symbol.asyncDispose]();
});

async function publishPoisoned(): Promise<{ readonly id: string; readonly name: string }> {
  const storeId = randomUUID();
  const name = `Poison ${storeId}`;
  poison.set(name, `cannot write to ${secrets[0]} or ${secrets[1]}`);
  const contacts = [{ name: secrets[2] ?? '', email: secrets[0] ?? '' }];
  const data = { version: 1, id: storeId, code: storeId.slice(0, 8), name, contacts };
  const envelope = envelopeOf(directoryStore, data, { aggregateId: storeId, storeId });
  await shop.publish(envelope);
  await until(async () => (await list(olu)).some(({ event_id }) => event_id === envelope.id), { describe: 'the dead letter' });
  return { id: envelope.id, name };
}

type Listed = { event_id: string; settled_as: string | null; settled_by: string | null; settled_reason: string | null };
const list = async (browser: Browser, query = ''): Promise<Listed[]> =>
  ((await (await browser.get(`${deadLetters}?service=queue${query}`)).json()) as { dead_letters: Listed[] }).dead_letters;
const refusal = async (response: Response) => [response.status, ((await response.json()) as { error: { code: string } }).error.code];

describe('dead letters', () => {
  test('are found, understood and retried, with the reason and the person on record', async () => {
    const { id, name } = await publishPoisoned();
    const shown = await (await olu.get(`${deadLetters}/queue/${id}`)).json();
    expect(shown).toMatchObject({ service: 'queue', payload: null, data_fields: expect.arrayContaining(['name', 'contacts']) });
    const retry = async () => await (await olu.post(`${deadLetters}/queue/${id}/retry`, { reason: 'the address was mended' })).json();
    expect(await retry()).toMatchObject({ outcome: 'failed' });
    poison.delete(name);
    expect(await retry()).toEqual({ outcome: 'retried', detail: null });
    expect((await list(olu)).map(({ event_id }) => event_id)).not.toContain(id);
    const settled = (await list(olu, '&settled=true')).find(({ event_id }) => event_id === id);
    expect(settled).toMatchObject({
      settled_as: 'retried',
      settled_by: `console:${people.olu.id}`,
      settled_reason: 'the address was mended',
    });
    expect(await retry()).toMatchObject({ outcome: 'not open', detail: expect.stringContaining(`console:${people.olu.id}`) });
  });

  test('are discarded with a reason, and not without', async () => {
    const { id } = await publishPoisoned();
    expect(await refusal(await olu.post(`${deadLetters}/queue/${id}/discard`, { reason: ' ' }))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await (await olu.post(`${deadLetters}/queue/${id}/discard`, { reason: 'a test' })).json()).toMatchObject({
      outcome: 'discarded',
    });
  });

  test('show the values of an event to those who may, and each look is on record', async () => {
    const { id } = await publishPoisoned();
    const shown = (await (await olu.get(`${deadLetters}/queue/${id}?payload=true`)).json()) as { payload: string };
    expect(shown.payload).toContain(secrets[2]);
    const by = `console:${people.olu.id}`;
    expect(shop.lines).toContainEqual(expect.objectContaining({ msg: 'the payload of a dead letter was shown', event_id: id, by }));
    expect(await refusal(await pia.get(`${deadLetters}/queue/${id}?payload=true`))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  test('are changed neither by an operator who may only look nor from another page', async () => {
    const { id } = await publishPoisoned();
    for (const step of ['retry', 'discard'] as const) {
      const path = `${deadLetters}/queue/${id}/${step}`;
      expect(await refusal(await pia.post(path, { reason: 'why' }))).toEqual([403, 'INSUFFICIENT_SCOPE']);
      expect(await refusal(await olu.post(path, { reason: 'why' }, { origin: 'https://evil.example' }))).toEqual([403, 'FOREIGN_ORIGIN']);
    }
    expect((await list(pia)).map(({ event_id }) => event_id)).toContain(id);
    expect(await refusal(await olu.get(`${deadLetters}/queue/${randomUUID()}`))).toEqual([404, 'NOT_FOUND']);
    expect(await refusal(await olu.get(`${deadLetters}/elsewhere/${id}`))).toEqual([400, 'VALIDATION_FAILED']);
  });
});

const pages = ['stories/S1', 'dead-letters', 'streams', 'system', 'figures'].map((page) => `/api/operator/${page}`);

test.each(pages)('%s is for operators: a merchant gets 403, and a stranger 401', async (page) => {
  expect((await pia.get(page)).status).toBe(200);
  expect(await refusal(await bo.get(page))).toEqual([403, 'OPERATOR_ONLY']);
  expect(await refusal(await tested.open().get(page))).toEqual([401, 'UNAUTHENTICATED']);
});

test('a story has the facts of an event and its dead letter, and says which services did not reply', async () => {
  const { id } = await publishPoisoned();
  const story = (await (await olu.get(`/api/operator/stories/${id}`)).json()) as {
    facts: { service: string; sentence: string }[];
    unreachable: { service: string }[];
    dead_letters: { event_id: string }[];
  };
  expect(story.facts.map(({ service }) => service)).toContain('queue');
  expect(story.dead_letters.map(({ event_id }) => event_id)).toEqual([id]);
  expect(story.unreachable.map(({ service }) => service).sort()).toEqual(['loyalty', 'notifications', 'orders']);
});

test('each fact of a story links to its trace, where the console knows the place, and to no logs where it does not', async () => {
  const { broker } = await shop.service.backbone;
  const at = '2026-05-01T11:00:00.000000Z';
  const served = broker.connection.subscribe(broker.subject(rpcSubject(explain('loyalty'))), {
    callback(_error, request) {
      request.respond(
        JSON.stringify({
          output: {
            facts: [
              { at, sentence: 'One.', trace_id: 'ab12' },
              { at, sentence: 'Two.' },
            ],
            also: [],
          },
        }),
      );
    },
  });
  await broker.connection.flush();
  const { facts } = (await (await olu.get(`/api/operator/stories/${randomUUID()}`)).json()) as { facts: object[] };
  expect(facts).toMatchObject([
    { sentence: 'One.', trace_url: 'https://jaeger.example/trace/ab12', log_url: null },
    { sentence: 'Two.', trace_url: null, log_url: null },
  ]);
  served.unsubscribe();
});

test('streams name what flows, what is stuck and what an upstream publishes, and the system what runs and not what is left out', async () => {
  const { producers } = (await (await olu.get('/api/operator/streams')).json()) as {
    producers: {
      producer: string;
      upstream: boolean;
      stream: object | null;
      unpublished: number | null;
      consumers: { service: string; fault: string | null }[];
    }[];
  };
  const directory = producers.find(({ producer }) => producer === 'directory');
  expect(producers.flatMap(({ producer, upstream }) => (upstream ? producer : []))).toEqual(['directory']);
  expect(directory?.stream).toMatchObject({ messages: expect.any(Number), last_sequence: expect.any(Number) });
  expect(directory?.consumers.find(({ service }) => service === 'queue')?.fault).toBeNull();
  expect(producers.find(({ producer }) => producer === 'queue')?.unpublished).toBe(0);
  const { processes } = (await (await olu.get('/api/operator/system')).json()) as { processes: { name: string; ready: boolean }[] };
  expect(processes.map(({ name, ready }) => [name, ready])).toEqual([
    ['orders', false],
    ['loyalty', false],
    ['queue', true],
    ['notifications', false],
    ['console', true],
  ]);
});

test('messages are those of all stores for operators, and of a customer for people of the store', async () => {
  const asked: unknown[] = [];
  const { broker } = await shop.service.backbone;
  const message = {
    message_id: randomUUID(),
    created_at: '2026-05-01T12:00:00.000000Z',
    channel: 'email',
    state: 'failed',
    type: 'order.ready',
    store_id: stores.coffee.id,
    customer_id: people.ana.id,
    order_id: null,
    masked_address: 'a…@mail.example',
    attempts: 3,
    error: `550 ${secrets[0]} is unknown`,
    sent_at: null,
    text: secrets[2],
  };
  const counts = [{ channel: 'email', state: 'failed', count: 1 }];
  const served = broker.connection.subscribe(broker.subject(rpcSubject(listMessages)), {
    callback(_error, request) {
      asked.push(request.json());
      request.respond(JSON.stringify({ output: { messages: [message], next: null, counts } }));
    },
  });
  await broker.connection.flush();
  const all = await (await pia.get('/api/operator/messages?channel=email&state=failed')).text();
  expect(JSON.parse(all)).toMatchObject({ messages: [{ masked_address: 'a…@mail.example', error: '550 [address] is unknown' }], counts });
  for (const secret of secrets) expect(all).not.toContain(secret);
  const ofCustomer = `customers/${people.ana.id}/messages`;
  const own = await (await bo.get(`/api/shop/${stores.coffee.id}/${ofCustomer}`)).json();
  expect(own).toMatchObject({ messages: [{ message_id: message.message_id }], counts: [] });
  expect(asked).toEqual([
    { channel: 'email', state: 'failed', by: people.pia.id },
    { store_id: stores.coffee.id, customer_id: people.ana.id, by: people.bo.id, role: 'merchant' },
  ]);
  expect(await refusal(await bo.get('/api/operator/messages'))).toEqual([403, 'OPERATOR_ONLY']);
  for (const browser of [bo, olu])
    expect(await refusal(await browser.get(`/api/shop/${randomUUID()}/${ofCustomer}`))).toEqual([403, 'STORE_FORBIDDEN']);
  served.unsubscribe();
});

test('personal data is in no page of an operator and in no line of the log', async () => {
  const { id } = await publishPoisoned();
  const paths = [...pages, `/api/operator/stories/${id}`, `${deadLetters}?settled=true`, `${deadLetters}/queue/${id}`];
  const texts = await Promise.all(paths.map(async (path) => await (await olu.get(path)).text()));
  expect(texts.join('')).toContain(id);
  for (const secret of secrets) expect([...texts, ...tested.lines].join('')).not.toContain(secret);
});

test('a console whose deployment leaves the directory out says so to the pages', async () => {
  expect(await (await bo.get('/api/me')).json()).toMatchObject({ kind: 'merchant', directory: false, opens_shops: false, shop_url: null });
});
