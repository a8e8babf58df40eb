import { randomUUID } from 'node:crypto';
import { type AnyOperation, directory, type Role, readInvitation, rpcSubject } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { consoleClientId } from '@corner/sandbox/demo';
import { beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { compareWithExamples, firstEvents, withoutExample } from '../testing/recorded-examples.ts';
import { type RefusalRun, startRefusalRun, unknownId } from '../testing/refusals/refusal-run.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';
import { visited } from '../testing/visited.ts';

let run: RefusalRun;
let storeId: string;
let ownerId: string;
beforeAll(async () => {
  run = await startRefusalRun(await sharedEnvironment('whole'));
});

const tokenOf = (role: Role, stores: readonly string[] = [storeId], sub = ownerId) =>
  run.environment.system.tokens.token({ typ: 'merchant', sub, name: 'Ida', stores: [...stores], role });

async function example(name: keyof typeof directory, other: Readonly<Record<string, unknown>> = {}, token?: string) {
  const body = await run.done(name, { with: { store_id: storeId, ...other }, token: token ?? (await tokenOf('owner')) });
  run.seen[name] = { success: body, ...run.seen[name] };
  return body as unknown as Readonly<Record<string, { readonly id: string }>>;
}

async function comes(customerId: string): Promise<void> {
  const database = new pg.Client({ connectionString: run.environment.system.databaseUrl });
  await database.connect();
  await visited(database, storeId, customerId);
  await database.end();
}

interface Invited {
  readonly invitation: { readonly id: string };
}

const idToken = () => {
  const { tokens, issuer } = run.environment.system;
  return tokens.idToken({ issuer, audience: consoleClientId, sub: randomUUID(), name: 'Ana', signedInAt: new Date() });
};

const signedIn = async (more: Pick<Parameters<RefusalRun['done']>[1] & object, 'headers'> & { readonly subject_token?: string } = {}) => {
  const { subject_token = await idToken(), ...request } = more;
  return await run.done('exchangeToken', { with: { subject_token }, ...request });
};

async function linkOf(id: string | undefined): Promise<string> {
  const connection = await connectNats(run.environment.system.natsUrl, 'test');
  const reply = await connection.request(rpcSubject(readInvitation), JSON.stringify({ invitation_id: id, store_id: storeId }), {
    timeout: 30_000,
  });
  await connection.close();
  return reply.json<{ readonly output: { readonly invitation: { readonly token: string } } }>().output.invitation.token;
}

const named = (problem: string) =>
  (Object.values(directory) as readonly AnyOperation[])
    .filter(({ problems }) => (problems as readonly string[]).includes(problem))
    .map(({ name }) => name);

describe('the examples', () => {
  const [unit, slot] = [randomUUID(), randomUUID()];

  test('of a store succeed', async () => {
    ownerId = randomUUID();
    const created = await run.done('createStore', { token: await tokenOf('owner', []), with: { code: randomUUID().slice(0, 8) } });
    run.seen.createStore = { success: created };
    storeId = (created as unknown as { readonly store: { readonly id: string } }).store.id;
    for (const name of ['listDirectoryStores', 'readDirectoryStore', 'changeStore'] as const) await example(name);
  });

  test('of what a store offers succeed', async () => {
    await example('changeMenu', { items: [{ id: 'flat-white', name: 'Flat white', price_pence: 340 }] });
    const times = { starts_at: '2026-05-01T12:00:00Z', ends_at: '2026-05-01T13:00:00Z' };
    const template = [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00', every_minutes: 30, capacity: 8 }];
    await example('changeSlots', { slots: [{ id: slot, ...times, capacity: 12 }], template });
    await example('changeProgramme', { tags: [{ uid: randomUUID().replaceAll('-', '').slice(0, 14) }] });
    const service_ids = [randomUUID()];
    const weekly_shifts = [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }];
    await example('changeFloor', {
      services: [{ id: service_ids[0], name: 'Cut', minutes: 30 }],
      units: [{ id: unit, name: 'Chair 1', service_ids, weekly_shifts }],
    });
    for (const name of ['readDirectoryMenu', 'readSlots', 'readProgramme', 'readFloor'] as const) await example(name);
  });

  test('of the diary and of people succeed', async () => {
    const { booking } = await example('createBooking', { unit_id: unit });
    await example('changeBooking', { booking_id: booking?.id });
    await example('listBookings', { from: '2026-01-01T00:00:00Z' });
    const id = `00000000${randomUUID().slice(8)}`;
    const { staff } = await example('addStaff', { id, cards: [{ token_id: `card_${randomUUID()}` }] });
    await example('changeStaff', { staff_id: staff?.id });
    await example('listStaff');
    const customer = await run.newCustomer();
    for (const name of ['changeMe', 'readMe'] as const) await example(name, {}, customer.token);
    await comes(customer.id);
    for (const name of ['changeMembership', 'readMembership'] as const) await example(name, { customer_id: customer.id });
    await example('listDirectoryLog');
    await example('listDataAccess');
  });

  test('of signing in succeed', async () => {
    const { refresh_token } = await signedIn();
    run.seen.exchangeToken = { success: await signedIn() };
    await example('refreshToken', { refresh_token });
    await example('endSession', { refresh_token });
    for (const name of ['createGuest', 'startStaffSession', 'readSigningKeys'] as const) await example(name);
  });

  test('of the export and the erasure of a customer succeed', async () => {
    const [customer, other] = [await run.newCustomer(), await run.newCustomer()];
    for (const { token } of [customer, other]) await run.done('changeMe', { token });
    await example('exportMe', {}, customer.token);
    const { receipt } = await run.done('eraseMe', { token: customer.token });
    run.seen.eraseMe = { success: await run.done('eraseMe', { token: customer.token }) };
    await example('readErasure', { receipt });
    await comes(other.id);
    await example('requestErasure', { customer_id: other.id });
  });

  test('of an invitation succeed, and events have examples', async () => {
    const { invitation } = await example('inviteStaff');
    await example('listInvitations');
    const invited = [{ token: await linkOf(invitation?.id) }, await tokenOf('owner', [], randomUUID())] as const;
    for (const name of ['lookUpInvitation', 'acceptInvitation'] as const) await example(name, ...invited);
    const another = (await run.done('inviteStaff', { token: await tokenOf('owner'), with: { store_id: storeId } })) as unknown as Invited;
    await example('withdrawInvitation', { invitation_id: another.invitation.id });
    expect(withoutExample({ ...(await firstEvents(run.environment.system)) })).toEqual([]);
  });
});

describe('the examples of a partner', () => {
  test('succeed', async () => {
    const { partner, client_secret } = await example('createPartner');
    const credentials = { client_id: partner?.id, client_secret };
    const ofPartner = { partner_id: partner?.id };
    run.seen.partnerToken = { success: await run.done('partnerToken', { with: credentials }) };
    await example('rotatePartnerSecret', ofPartner);
    await example('listPartners');
    await example('withdrawPartner', ofPartner);
    await run.refused('partnerToken', 'CLIENT_INVALID', { with: credentials });
    for (const name of named('PARTNER_NOT_FOUND'))
      await run.refused(name, 'PARTNER_NOT_FOUND', { token: await tokenOf('owner'), with: { store_id: storeId } });
  });
});

describe('the refusals', () => {
  test('of a store that is not there, and of a role that is too low', async () => {
    const token = await tokenOf('owner', [unknownId]);
    for (const name of named('STORE_NOT_FOUND')) await run.refused(name, 'STORE_NOT_FOUND', { token, with: { store_id: unknownId } });
    const asStaff = await tokenOf('staff');
    for (const name of named('INSUFFICIENT_ROLE'))
      await run.refused(name, 'INSUFFICIENT_ROLE', { token: asStaff, with: { store_id: storeId } });
  });

  test('of what another store has, and of what is not there', async () => {
    const token = await tokenOf('owner');
    const ofStore = { token, with: { store_id: storeId } };
    const uid = randomUUID().replaceAll('-', '').slice(0, 14);
    const code = randomUUID().slice(0, 8);
    const other = (await run.done('createStore', { token: await tokenOf('owner', [], randomUUID()), with: { code } })) as unknown as {
      readonly store: { readonly id: string };
    };
    const there = await tokenOf('owner', [other.store.id]);
    await run.done('changeProgramme', { token: there, with: { store_id: other.store.id, tags: [{ uid }] } });
    await run.refused('createStore', 'STORE_CODE_TAKEN', { token, with: { code } });
    await run.refused('changeStore', 'STORE_CODE_TAKEN', { token, with: { store_id: storeId, code } });
    await run.refused('changeProgramme', 'TAG_TAKEN', { token, with: { store_id: storeId, tags: [{ uid }] } });
    for (const name of named('BOOKING_NOT_FOUND')) await run.refused(name, 'BOOKING_NOT_FOUND', ofStore);
    for (const name of named('CUSTOMER_NOT_FOUND'))
      await run.refused(name, 'CUSTOMER_NOT_FOUND', { token, with: { store_id: storeId, customer_id: unknownId } });
    await run.refused('readErasure', 'ERASURE_NOT_FOUND', { with: { receipt: unknownId } });
    await run.refused('createBooking', 'UNIT_NOT_FOUND', ofStore);
    const [booking] = ((await run.done('listBookings', { token, with: { store_id: storeId, from: '2026-01-01T00:00:00Z' } })).bookings ??
      []) as unknown as readonly { readonly id: string }[];
    await run.refused('changeBooking', 'UNIT_NOT_FOUND', {
      token,
      with: { store_id: storeId, booking_id: booking?.id, unit_id: unknownId },
    });
    await run.refused('changeStaff', 'STAFF_NOT_FOUND', ofStore);
    await run.refused('addStaff', 'STAFF_EXISTS', { token, with: { store_id: storeId, id: ownerId } });
    await run.refused('changeStaff', 'LAST_OWNER', { token, with: { store_id: storeId, staff_id: ownerId, role: null } });
    await run.refused('listBookings', 'INVALID_CURSOR', { token, with: { store_id: storeId, after: unknownId } });
    for (const name of ['listDirectoryLog', 'listDataAccess'] as const)
      await run.refused(name, 'INVALID_CURSOR', { token, with: { store_id: storeId, before: '999999999' } });
  });

  test('of ID tokens, refresh tokens and guests that are not accepted', async () => {
    const used = await idToken();
    const { refresh_token } = await signedIn({ subject_token: used });
    await run.refused('exchangeToken', 'ID_TOKEN_USED', { with: { subject_token: used } });
    await run.refused('exchangeToken', 'ID_TOKEN_INVALID', { with: { subject_token: run.tokens.ana } });
    const headers = { 'idempotency-key': randomUUID() };
    const subject_token = await idToken();
    const ended = (await signedIn({ subject_token, headers })).refresh_token;
    for (const token of [refresh_token, ended]) await run.done('endSession', { with: { refresh_token: token } });
    await run.refused('refreshToken', 'SESSION_ENDED', { with: { refresh_token } });
    await run.refused('exchangeToken', 'SESSION_ENDED', { with: { subject_token }, headers });
    const guest = await run.done('createGuest', { headers });
    await run.done('refreshToken', { with: { refresh_token: guest.refresh_token } });
    await run.refused('createGuest', 'IDEMPOTENCY_KEY_REUSED', { headers });
  });

  test('of invitations that are not open, and of people who do not work there', async () => {
    const ofStore = { token: await tokenOf('owner'), with: { store_id: storeId } };
    await run.refused('startStaffSession', 'STAFF_NOT_FOUND', { ...ofStore, token: await tokenOf('owner', [storeId], randomUUID()) });
    await run.refused('withdrawInvitation', 'INVITATION_NOT_FOUND', ofStore);
    for (const name of ['acceptInvitation', 'lookUpInvitation'] as const) await run.refused(name, 'INVITATION_NOT_FOUND', ofStore);
    const { invitation } = (await run.done('inviteStaff', ofStore)) as unknown as Invited;
    const token = await linkOf(invitation.id);
    await run.refused('acceptInvitation', 'STAFF_EXISTS', { ...ofStore, with: { token } });
    const newcomer = await tokenOf('owner', [], randomUUID());
    await run.done('acceptInvitation', { token: newcomer, with: { token } });
    for (const name of ['acceptInvitation', 'lookUpInvitation'] as const)
      await run.refused(name, 'INVITATION_ENDED', { ...ofStore, with: { token } });
    await run.refused('withdrawInvitation', 'INVITATION_ENDED', { ...ofStore, with: { store_id: storeId, invitation_id: invitation.id } });
  });

  test('of a version that is another by now, and of a change that names none', async () => {
    const request = { token: await tokenOf('owner'), with: { store_id: storeId } };
    await run.refused('changeStore', 'VERSION_CONFLICT', { ...request, headers: { 'if-match': '"1"' } }, '*');
    await run.refused('changeStore', 'VERSION_REQUIRED', { ...request, headers: { 'if-match': '' } }, '*');
  });
});

test('every operation of the directory has an example that succeeds, and each of its problems was provoked', () => {
  const contracts = Object.values(directory) as readonly AnyOperation[];
  expect(contracts.filter(({ name }) => run.seen[name]?.success === undefined).map(({ name }) => name)).toEqual([]);
  // This system issues its own tokens. The service's tests cover a deployment that does not.
  const provoked = (code: string) => code !== 'TOKENS_ISSUED_ELSEWHERE';
  const pairs = contracts.flatMap(({ name, problems }) => problems.filter(provoked).map((code) => [name, code] as const));
  expect(pairs.filter(([name, code]) => run.seen[name]?.problems?.[code] === undefined)).toEqual([]);
});

test('each response is in openapi.json as it was returned', () => {
  expect(compareWithExamples(run.seen)).toEqual([]);
});
