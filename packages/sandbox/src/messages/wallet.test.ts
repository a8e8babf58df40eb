import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type RunningMessages, startMessages } from './start-messages.ts';
import { googleClientOf, walletScope } from './testing/google-client.ts';

let folder: Awaited<ReturnType<typeof testFolder>>;
let messages: RunningMessages;
let client: ReturnType<typeof googleClientOf>;
let token: string;

const now = new Date('2026-03-04T05:06:07Z');
const iat = now.getTime() / 1_000;
const issuer = '3388000000012345678';
let count = 0;

beforeAll(async () => {
  folder = await testFolder();
  messages = await startMessages({ folder: folder.path, now: () => now });
  client = googleClientOf(messages);
});
afterAll(async () => {
  await messages.stop();
  await folder[Symbol.asyncDispose]();
});
beforeEach(async () => {
  count += 1;
  messages.controls.empty();
  messages.controls.clearFaults();
  token = await client.accessToken({ iat, scope: walletScope });
});

const aClass = () => ({
  id: `${issuer}.store-${count}`,
  issuerName: 'Bea',
  programName: 'Bea’s Bakery',
  programLogo: { sourceUri: { uri: 'https://shop.example/logo.png' } },
  reviewStatus: 'UNDER_REVIEW',
});
const anObject = () => ({
  id: `${issuer}.pass-${count}`,
  classId: `${issuer}.store-${count}`,
  state: 'ACTIVE',
  loyaltyPoints: { label: 'Stamps', balance: { string: '1 of 4' } },
  textModulesData: [{ id: 'reward', header: 'Reward', body: 'A flat white' }],
  barcode: { type: 'QR_CODE', value: 'x' },
});
const call = (method: string, path: string, body?: object, by: string | undefined = token) => client.wallet(by, method, path, body);

test('classes and objects can be created, read and changed, and changes of objects go to the inbox', async () => {
  const [ofStore, pass] = [aClass(), anObject()];
  expect(await call('POST', 'loyaltyClass', ofStore)).toMatchObject({ status: 200, body: ofStore });
  expect(messages.inbox.all()).toEqual([]);
  expect(await call('POST', 'loyaltyObject', pass)).toMatchObject({ status: 200, body: pass });
  const change = { state: 'INACTIVE', loyaltyPoints: { balance: { string: '2 of 4' } }, textModulesData: [], barcode: null };
  expect((await call('PATCH', `loyaltyObject/${pass.id}`, change)).status).toBe(200);
  const { barcode: _, ...rest } = pass;
  const changed = { ...rest, state: 'INACTIVE', loyaltyPoints: { label: 'Stamps', balance: { string: '2 of 4' } }, textModulesData: [] };
  expect(await call('GET', `loyaltyObject/${pass.id}`)).toEqual({ status: 200, body: changed });
  expect(messages.inbox.to(pass.id)).toMatchObject([
    { channel: 'wallet', by: 'google-wallet', title: 'Bea’s Bakery', text: 'Stamps: 1 of 4 (ACTIVE)' },
    { text: 'Stamps: 2 of 4 (INACTIVE)', data: changed },
  ]);
});

describe('a request is refused', () => {
  test('without a token, and with one of another scope', async () => {
    const narrow = await client.accessToken({ iat });
    expect((await client.wallet(undefined, 'POST', 'loyaltyClass', aClass())).body.error?.status).toBe('UNAUTHENTICATED');
    expect((await call('POST', 'loyaltyClass', aClass(), narrow)).body.error?.status).toBe('PERMISSION_DENIED');
    messages.controls.expireTokens();
    expect((await call('POST', 'loyaltyClass', aClass())).status).toBe(401);
  });

  test("for an absent resource, and for one that already exists, with Google's errors", async () => {
    const [ofStore, pass] = [aClass(), anObject()];
    const missing = (what: string) => ({ status: 404, body: { error: { code: 404, status: 'NOT_FOUND', message: `${what} not found.` } } });
    expect(await call('GET', `loyaltyClass/${ofStore.id}`)).toEqual(missing(`Wallet Object Class ${ofStore.id}`));
    expect(await call('PATCH', `loyaltyObject/${pass.id}`, {})).toEqual(missing(`Wallet Object ${pass.id}`));
    expect(await call('POST', 'loyaltyObject', pass)).toEqual(missing(`Wallet Object Class ${ofStore.id}`));
    await call('POST', 'loyaltyClass', ofStore);
    expect(await call('POST', 'loyaltyClass', ofStore)).toMatchObject({ status: 409, body: { error: { status: 'ALREADY_EXISTS' } } });
  });

  test.each<[string, object, number]>([
    ['an id of another issuer', { id: '1.pass' }, 403],
    ['an id that is none', { id: 'pass' }, 400],
    ['an unknown field', { points: 3 }, 400],
    ['an unknown state', { state: 'USED' }, 400],
    ['two balances', { loyaltyPoints: { balance: { string: '1', int: 1 } } }, 400],
    ['a barcode of an unknown type', { barcode: { type: 'QR', value: 'x' } }, 400],
    ['no class', { classId: undefined }, 400],
  ])('an object with %s', async (_, fault, status) => {
    await call('POST', 'loyaltyClass', aClass());
    expect((await call('POST', 'loyaltyObject', { ...anObject(), ...fault })).status).toBe(status);
    expect(messages.inbox.all()).toEqual([]);
  });

  test.each<[string, object]>([
    ['no logo', { programLogo: undefined }],
    ['an approval of its own', { reviewStatus: 'APPROVED' }],
    ['a colour that is none', { hexBackgroundColor: 'red' }],
  ])('a class with %s', async (_, fault) => {
    expect((await call('POST', 'loyaltyClass', { ...aClass(), ...fault })).status).toBe(400);
  });

  test('for a PATCH with another id or an invalid result, and for unknown methods', async () => {
    const ofStore = aClass();
    await call('POST', 'loyaltyClass', ofStore);
    const path = `loyaltyClass/${ofStore.id}`;
    expect((await call('PATCH', path, { id: `${issuer}.other` })).status).toBe(400);
    expect((await call('PATCH', path, { reviewStatus: 'APPROVED' })).status).toBe(400);
    expect((await call('DELETE', path)).status).toBe(404);
    expect((await call('PATCH', 'loyaltyClass', {})).status).toBe(404);
    expect((await call('GET', path)).body).toEqual(ofStore);
  });
});

test('by a fault, for its object only', async () => {
  await call('POST', 'loyaltyClass', aClass());
  const pass = anObject();
  for (const how of ['unavailable', 'too_many', 'refused'] as const) messages.controls.fail({ at: 'google-wallet', how, to: pass.id });
  const statuses = [];
  for (let i = 0; i < 4; i += 1) statuses.push((await call('POST', 'loyaltyObject', pass)).status);
  expect(statuses).toEqual([503, 429, 403, 200]);
  messages.controls.fail({ at: 'google-wallet', how: 'hang_up_after' });
  await expect(call('PATCH', `loyaltyObject/${pass.id}`, { state: 'EXPIRED' })).rejects.toThrow('fetch failed');
  expect((await call('GET', `loyaltyObject/${pass.id}`)).body).toMatchObject({ state: 'EXPIRED' });
});
