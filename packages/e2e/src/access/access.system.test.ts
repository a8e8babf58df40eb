import { randomUUID } from 'node:crypto';
import { type AnyOperation, operations } from '@corner/contracts';
import { stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { type RefusalRun, startRefusalRun, unknownId } from '../testing/refusals/refusal-run.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { type Callers, everyCaller, newPartner, type Places } from './callers.ts';
import { type AccessCaller, type Cell, callerProblems, cellsOf, recordFieldsOf, storeFieldsOf, undecided } from './cells.ts';
import { untilQuiet } from './effects.ts';
import { makeRecords, missingRecords, type Records } from './records.ts';

// In a process of its own: the directory service runs in this system alone.

let environment: TestEnvironment;
let run: RefusalRun;
let records: Records;
let places: Places;
let callers: Callers['callers'];
let former: Callers['former'];
let cells: readonly Cell[];
let database: pg.Client;

beforeAll(async () => {
  environment = await startTestEnvironment({}, { optional: ['directory'] });
  run = await startRefusalRun(environment);
  database = new pg.Client({ connectionString: run.environment.system.databaseUrl });
  await database.connect();
  const [another, dark] = [await storeOfAnother('live'), await storeOfAnother('dark')];
  places = { 'of another merchant': another, dark, unknown: { id: unknownId, code: 'NOPE' } };
  records = await makeRecords(run);
  ({ callers, former } = await everyCaller(run, places));
  cells = cellsOf(callers);
  const notified = async () => (await database.query('select from notifications.stamp_digest')).rowCount;
  await until(notified, { describe: 'the digest of the stamp that waits' });
  await database.query(`update loyalty.multi_stamp_request set expires_at = expires_at + interval '1 hour' where status = 'pending'`);
});
afterAll(async () => {
  await database?.end();
  await environment?.[Symbol.asyncDispose]();
});

async function storeOfAnother(status: 'live' | 'dark') {
  const [code, sub] = [randomUUID().slice(0, 8).toUpperCase(), randomUUID()];
  const { tokens } = run.environment.system;
  const created = await run.done('createStore', { token: await tokens.token({ typ: 'merchant', sub }), with: { code } });
  const { id } = created.store as unknown as { readonly id: string };
  const token = await tokens.token({ typ: 'merchant', sub, stores: [id] });
  await run.done('changeStore', { token, with: { store_id: id, status } });
  return { id, code };
}

const inParallel = 8;

async function sendAll(wanted: readonly Cell[], judge: (cell: Cell, seen: Seen) => string | null | Promise<string | null>) {
  const wrong: string[] = [];
  const waiting = wanted.values();
  const worker = async () => {
    for (const cell of waiting) {
      const seen = await send(cell, records);
      const fault = await judge(cell, seen);
      if (fault)
        wrong.push(`${cell.operation.name} by ${cell.caller.name}, store ${cell.place}: ${fault}, not ${seen.status} ${seen.code}`);
    }
  };
  await Promise.all(Array.from({ length: inParallel }, worker));
  return wrong;
}

interface Seen {
  readonly status: number;
  readonly code: string;
}

/** Values that replace those of an example: a manager may not give anyone the role of manager. */
const instead: Readonly<Record<string, object>> = { changeStaff: { role: 'staff' } };

/** Sends a call again whose service was too busy to answer, since that says nothing about the caller. */
async function send(cell: Cell, known: Records): Promise<Seen> {
  for (;;) {
    const seen = await sendOnce(cell, known);
    if (seen.code !== 'UPSTREAM_UNAVAILABLE') return seen;
  }
}

async function sendOnce({ operation, caller, place }: Cell, known: Records): Promise<Seen> {
  const named = Object.fromEntries(recordFieldsOf(operation).map(([field, kind]) => [field, known[kind]]));
  const store = place === 'own' ? {} : Object.fromEntries(storeFieldsOf(operation).map((field) => [field, storeValue(field, place)]));
  const { status, body } = await run.call(operation.name, {
    token: caller.token,
    headers: caller.headers ?? {},
    with: { ...instead[operation.name], ...named, ...store },
  });
  return { status, code: body.error?.code ?? '' };
}

const storeValue = (field: string, place: Exclude<Cell['place'], 'own'>): string => places[place][field === 'store_code' ? 'code' : 'id'];

const refusesCaller = (code: string): boolean => (callerProblems as readonly string[]).includes(code);

test('the contract of each operation says who may call it, and whose each record is that it names', () => {
  expect(undecided()).toEqual([]);
});

test('every caller that the contracts do not allow is refused as they say, by every operation at every store, and changes nothing', async () => {
  const before = await untilQuiet(environment, database);
  const refused = cells.filter(({ expected }) => expected !== 'allowed');
  const wrong = await sendAll(refused, async (cell, { status, code }) => {
    if (cell.expected === 'NOT_FOUND') return status === 404 && code.endsWith('_NOT_FOUND') ? null : 'NOT_FOUND';
    if (cell.expected !== 'hidden') return code === cell.expected ? null : cell.expected;
    const missing = await send(cell, missingRecords);
    return missing.status === status && missing.code === code
      ? null
      : `${missing.status} ${missing.code} as for a record that is not there`;
  });
  const after = await untilQuiet(environment, database);
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  expect({ wrong, changed }).toEqual({ wrong: [], changed: [] });
});

test('a customer who never was at a store is to it as one who does not exist, whatever it asks of them', async () => {
  const ofCustomers = operations.filter(
    ({ example }: AnyOperation) =>
      'customer_id' in { ...(example.params as object), ...(example.query as object), ...(example.body as object) },
  );
  expect(ofCustomers.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['requestErasure', 'readMembership', 'changeMembership', 'customerState', 'grantStamp']),
  );
  for (const { name } of ofCustomers) {
    const { id, token } = await run.newCustomer();
    await run.done('changeMe', { token });
    const replies = [];
    for (const customer_id of [id, randomUUID()])
      replies.push(await run.call(name, { with: { customer_id, idempotency_key: randomUUID() } }));
    const [never, missing] = replies.map(({ status, body }) => `${name} ${status} ${body.error?.code ?? ''}`);
    expect(never).toBe(missing);
    expect(JSON.stringify(replies[0]?.body)).not.toContain('Ana');
    const kept = await database.query(`select from directory.erasure where customer_id = $1`, [id]);
    expect(kept.rowCount).toBe(0);
  }
});

test('a partner that may do so reads and refunds an order, under its name in the log, and gets no token once it is withdrawn', async () => {
  const partner = await newPartner(run, { further_store_ids: [stores.cuts.id] });
  const token = await partner.newToken();
  const { orderId } = await run.paidOrder();
  const own = { token, with: { orderId } };
  await run.done('getOrder', own);
  await run.done('refundOrder', own);
  const { entries } = (await run.done('orderLog', own)) as unknown as { readonly entries: readonly { readonly actor: string | null }[] };
  expect(entries.map(({ actor }) => actor)).toContain('partner Ledgerly');
  const [outside, mayNot] = [
    await run.call('addPrinter', { token }),
    await run.call('getOrder', { ...own, token: callerNamed('a partner without scopes') }),
  ];
  expect([outside.body.error?.code, mayNot.body.error?.code]).toEqual(['WRONG_TOKEN_TYPE', 'INSUFFICIENT_SCOPE']);
  for (const store_id of [stores.coffee.id, stores.cuts.id])
    await run.done('withdrawPartner', { with: { store_id, partner_id: partner.id } });
  expect(await partner.refusedToken()).toBe('CLIENT_INVALID');
  // Services verify this token without asking the directory, so it may outlive the person's role by fifteen minutes at most.
  const { exp = 0, iat = 0 } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(exp - iat).toBe(900);
});

test('every caller that the contracts allow is let in', async () => {
  const judge = (_: Cell, { status, code }: Seen) => (refusesCaller(code) || status >= 500 ? 'allowed' : null);
  const allowed = Map.groupBy(
    cells.filter(({ expected }) => expected === 'allowed'),
    ({ operation }) => (['eraseMe', 'requestErasure'].includes(operation.name) ? 'last' : 'first'),
  );
  expect([...(await sendAll(allowed.get('first') ?? [], judge)), ...(await sendAll(allowed.get('last') ?? [], judge))]).toEqual([]);
  const lettingIn = new Set(cells.filter(({ expected }) => expected === 'allowed').map(({ operation }) => operation.name));
  expect(cells.filter(({ operation }) => !lettingIn.has(operation.name)).map(({ operation }) => operation.name)).toEqual([]);
});

test('someone who was dismissed does nothing with the token of before that lets them in again', async () => {
  const caller: AccessCaller = { name: 'a former manager', token: former.before, proven: null };
  const atStores = cells.filter(
    ({ operation, caller: of, place }) => of === callers[0] && place === 'own' && storeFieldsOf(operation).length > 0,
  );
  await sendAll(
    atStores.map((cell) => ({ ...cell, caller })),
    () => null,
  );
  const { access_token = '' } = await former.renew();
  const claims = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()) as { stores: { id: string }[] };
  expect(claims.stores.filter(({ id }) => id === stores.coffee.id || id === stores.cuts.id)).toEqual([]);
});

const callerNamed = (name: string): string | null => callers.find((caller) => caller.name === name)?.token ?? null;
