import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { stores, tags } from '@corner/sandbox/demo';
import { type RunningMessages, startMessages } from '@corner/sandbox/messages';
import { type RunningPayments, startPayments } from '@corner/sandbox/payments';
import { openTags } from '@corner/sandbox/tags';
import { type TestFolder, testFolder } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTransport } from 'nodemailer';
import type { Browser } from '../testing/browser.ts';
import { startTestConsole, type TestConsole } from '../testing/start-test-console.ts';
import { addSandbox } from './add-sandbox.ts';
import { hasControls, readSandboxConfig } from './config.ts';

let folder: TestFolder;
let payments: RunningPayments;
let messages: RunningMessages;
let tested: TestConsole;
let olu: Browser;

const asked: Record<string, string>[] = [];
let menu: object[] = [];
const gateway = createServer(async (request, response) => {
  const body = request.method === 'GET' ? {} : ((await json(request)) as Record<string, string>);
  const replies: Readonly<Record<string, () => object | Promise<object>>> = {
    [`GET /api/v1/orders/stores/${stores.coffee.id}/menu`]: () => ({ store: stores.coffee, items: menu }),
    'POST /api/v1/directory/guests': () => ({ access_token: 'of-the-guest' }),
    'POST /api/v1/orders': async () => ({ payment_intent_id: await prepare('order-of-guest') }),
    'POST /api/v1/orders/confirm': () => ({ order_number: 'S1-1', total_pence: 320, currency: 'GBP', collection_code: 'AB12' }),
  };
  const reply = replies[`${request.method} ${request.url}`];
  if (reply) {
    asked.push({ path: `${request.method} ${request.url}`, bearer: request.headers.authorization ?? '', ...body });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await reply()));
    return;
  }
  const known = asked.some(({ nfc_picc_data }) => nfc_picc_data === body.nfc_picc_data);
  asked.push({ path: `${request.method} ${request.url}`, ...body });
  const refusal = { error: { code: 'NFC_TAP_REPLAYED', message: 'This tap was used.', requestId: 'r' } };
  response.writeHead(known ? 409 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(known ? refusal : { code: '1234', store_name: 'Corner Coffee', expires_in_seconds: 60 }));
});

beforeAll(async () => {
  folder = await testFolder();
  payments = await startPayments();
  messages = await startMessages({ folder: folder.path });
  gateway.listen(0, '127.0.0.1');
  const { port } = await new Promise<AddressInfo>((resolve) => gateway.once('listening', () => resolve(gateway.address() as AddressInfo)));
  tested = await startTestConsole({
    env: {
      PAYMENTS_SIMULATOR_URL: payments.url,
      MESSAGES_SIMULATOR_URL: messages.url,
      GATEWAY_URL: `http://127.0.0.1:${port}`,
    },
    additions: (env) => [(api) => addSandbox(api, readSandboxConfig(env))],
  });
  olu = tested.open();
  await olu.signIn('olu');
});
afterAll(async () => {
  await tested?.[Symbol.asyncDispose]();
  gateway.close();
  gateway.closeAllConnections();
  await messages?.stop();
  await payments?.stop();
  await folder[Symbol.asyncDispose]();
});

async function prepare(orderId: string): Promise<string> {
  const response = await fetch(`${payments.url}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_corner' },
    body: new URLSearchParams({ amount: '500', currency: 'gbp', 'metadata[order_id]': orderId }),
  });
  return ((await response.json()) as { id: string }).id;
}
const use = async (name: string, values: object = {}) => {
  const response = await olu.post(`/api/sandbox/${name}`, values);
  return [response.status, await response.json()] as const;
};

test('an order’s payment is declined, and then paid', async () => {
  await prepare('order-1');
  expect(await use('decline', { order_id: 'order-1' })).toEqual([200, { done: expect.stringContaining('declined') }]);
  expect(await use('pay', { order_id: 'order-1', card: 'pm_card_visa' })).toEqual([200, { done: 'The payment is succeeded.' }]);
  expect(await use('pay', { order_id: 'order-1', card: 'pm_card_visa' })).toMatchObject([400, { error: { code: 'VALIDATION_FAILED' } }]);
  expect(await use('pay', { order_id: 'none', card: 'pm_card_visa' })).toMatchObject([400, { error: { message: /no payment/ } }]);
});

test('every control is described, takes the fields that it names, and says what it did', async () => {
  const { controls } = (await (await olu.get('/api/sandbox')).json()) as {
    controls: { name: string; group: string; fields: { name: string; kind: string; choices?: string[] }[] }[];
  };
  expect(new Set(controls.map(({ group }) => group))).toEqual(new Set(['customers', 'payments', 'wires', 'clock', 'messages', 'tags']));
  await prepare('order-2');
  expect((await use('pay', { order_id: 'order-2', card: 'pm_card_visa' }))[0]).toBe(200);
  for (const { name, fields } of controls.filter((control) => !['order', 'pay', 'decline', 'tap'].includes(control.name))) {
    const values = fields.map(({ name: field, kind, choices }) => [field, kind === 'number' ? 1 : (choices?.[0] ?? 'order-2')]);
    const used = await use(name, Object.fromEntries(values));
    expect([name, ...used]).toEqual([name, 200, { done: expect.stringMatching(/\.$/) }]);
    if (name === 'fail-payments') await use('mend-payments');
  }
  expect((await use('late-webhooks', { seconds: 'soon' }))[0]).toBe(400);
  expect((await use('nothing'))[0]).toBe(404);
});

test('a tapped tag gives its reading to the stamp codes as another phone each time; a tap that is repeated is refused as loyalty says', async () => {
  const [{ uid }] = tags;
  const tap = { store: 's1', reading: 'a new tap' };
  const again = { ...tap, reading: 'the last tap again' };
  expect(await use('tap', again)).toMatchObject([400, { error: { message: /has not been tapped yet/ } }]);
  expect(await use('tap', tap)).toEqual([200, { done: expect.stringContaining('the code 1234 of Corner Coffee') }]);
  expect(await use('tap', again)).toMatchObject([409, { error: { code: 'NFC_TAP_REPLAYED', message: 'This tap was used.' } }]);
  const [first, second] = asked;
  expect(first).toMatchObject({ path: 'POST /api/v1/loyalty/stamp-codes', store_id: stores.coffee.id, nfc_key_version: '1' });
  expect(second?.nfc_picc_data).toBe(first?.nfc_picc_data);
  expect(second?.device_info).not.toBe(first?.device_info);
  expect(openTags(folder.path, {}).tap(uid, { replay: true }).nfc_picc_data).toBe(first?.nfc_picc_data);
  expect((await use('tap', { ...tap, store: 'S2' }))[1]).toMatchObject({ error: { message: /no tag at this store/ } });
  expect((await use('tap', { ...tap, store: 'S2', tag: '04C0FFEE0000AA' }))[0]).toBe(200);
  expect(asked.at(-1)?.store_id).toBe(stores.cuts.id);
});

test('an order of a guest is placed with the token of a new guest, paid at the provider, and confirmed, with the choices that it needs', async () => {
  expect(await use('order', { store: stores.coffee.id })).toMatchObject([400, { error: { message: /nothing to sell/ } }]);
  menu = [
    { id: 'water', name: 'Water', price_pence: 0, sold_out: false, options: [] },
    { id: 'mocha', name: 'Mocha', price_pence: 350, sold_out: true, options: [] },
    {
      id: 'flat-white',
      name: 'Flat white',
      price_pence: 320,
      sold_out: false,
      options: [
        {
          min: 1,
          choices: [
            { id: 'soya', sold_out: true },
            { id: 'oat', sold_out: false },
            { id: 'whole', sold_out: false },
          ],
        },
        { min: 0, choices: [{ id: 'shot', sold_out: false }] },
      ],
    },
  ];
  asked.length = 0;
  expect(await use('order', { store: stores.coffee.id })).toEqual([200, { done: 'Order S1-1, code AB12: 1 Flat white, £3.20, is paid.' }]);
  const [, , placed, confirmed] = asked;
  expect(placed).toMatchObject({
    bearer: 'Bearer of-the-guest',
    store_code: 'S1',
    items: [{ menu_item_id: 'flat-white', quantity: 1, choices: ['oat'] }],
  });
  expect(confirmed).toMatchObject({ bearer: 'Bearer of-the-guest', payment_intent_id: expect.stringMatching(/^pi_/) });
  expect(await use('pay', { order_id: 'order-of-guest', card: 'pm_card_visa' })).toMatchObject([400, {}]);
});

test('the inbox has what the message providers were sent, newest first', async () => {
  await use('mend-messages');
  const transport = createTransport(messages.environment.SMTP_URL ?? '');
  for (const subject of ['First', 'Second'])
    await transport.sendMail({ from: 'a@corner.test', to: 'ana@example.com', subject, text: 'Hello' });
  transport.close();
  const inbox = (await (await olu.get('/api/inbox')).json()) as { messages: { subject: string }[] };
  expect(inbox.messages.map(({ subject }) => subject)).toEqual(['Second', 'First']);
});

test('people who may change nothing have neither the controls nor the inbox', async () => {
  for (const [person, code] of [
    ['pia', 'INSUFFICIENT_SCOPE'],
    ['cy', 'INSUFFICIENT_ROLE'],
  ] as const) {
    const browser = tested.open();
    await browser.signIn(person);
    const replies = [
      await browser.get('/api/sandbox'),
      await browser.post('/api/sandbox/empty-inbox', {}),
      await browser.get('/api/inbox'),
    ];
    for (const reply of replies) expect([reply.status, await reply.json()]).toMatchObject([403, { error: { code } }]);
    expect(await (await browser.get('/api/me')).json()).toMatchObject({ development: false });
  }
  const bo = tested.open();
  await bo.signIn('bo');
  expect([(await bo.get('/api/sandbox')).status, (await bo.get('/api/inbox')).status]).toEqual([200, 200]);
  expect(await (await bo.get('/api/me')).json()).toMatchObject({ development: true });
});

test('a setting switches both off where a trial is shared', () => {
  const config = readSandboxConfig(tested.config);
  expect([hasControls(config), hasControls({ ...config, SANDBOX_CONTROLS: 'off' })]).toEqual([true, false]);
});

test('without the simulators there is neither', async () => {
  await using plain = await startTestConsole();
  const browser = plain.open();
  await browser.signIn('olu');
  expect([(await browser.get('/api/sandbox')).status, (await browser.get('/api/inbox')).status]).toEqual([404, 404]);
  expect(await (await browser.get('/api/me')).json()).toMatchObject({ development: false });
});
