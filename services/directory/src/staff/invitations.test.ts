// covers: inviteStaff, listInvitations, withdrawInvitation, acceptInvitation, lookUpInvitation
import { randomUUID } from 'node:crypto';
import { readInvitation } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { deleteSessions } from '../sign-in/jobs.ts';
import { signingKey } from '../testing/provider.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, refusal, type Sent, type Shop } from '../testing/shop.ts';

const start = '2026-05-01T11:00:00Z';
let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning({ settings: { TOKEN_SIGNING_KEYS: JSON.stringify(signingKey()) } });
});
beforeEach(async () => {
  running.clock.set(start);
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const gil = { email: 'gil@example.com', name: 'Gil', role: 'staff' };
const invite = (more: object = {}, sent: Sent = {}) => shop.post('/invitations', { ...gil, ...more }, sent);
const list = async () => (await shop.get('/invitations', { role: 'manager' })).body.invitations;
const mail = async (id: string, storeId = shop.storeId) => {
  const { output } = await running.call(readInvitation, { invitation_id: id, store_id: storeId });
  return output?.invitation;
};
const person = async (sub = randomUUID()) => ({ sub, token: await running.issuer.token({ typ: 'merchant', sub, name: 'G' }) });
const accept = async (token: string | undefined, sent: Sent = {}) =>
  await shop.post('//invitations/accept', { token }, { token: (await person()).token, ...sent });
const withdraw = (id: string, sent: Sent = {}) => shop.post(`/invitations/${id}/withdraw`, {}, sent);

describe('an invitation', () => {
  test('is published without the address; the mail’s text and token are read when it is sent', async () => {
    const { status, body } = await invite({ language: 'fr-CA' });
    const { invitation } = body;
    expect([status, invitation]).toEqual([
      200,
      {
        id: expect.any(String),
        name: 'Gil',
        role: 'staff',
        email: 'g…@example.com',
        invited_by: { id: shop.ownerId, name: 'Bo' },
        created_at: start.replace('Z', '.000000Z'),
        expires_at: '2026-05-08T11:00:00.000000Z',
      },
    ]);
    const Event = z.object({ data: z.any(), store_id: z.string() });
    const event = await running.service.database.one(sql.type(Event)`
      select data, store_id from outbox where type = 'staff.invited' and aggregate_id = ${invitation.id}`);
    expect(event).toEqual({
      data: { invitation_id: invitation.id, store_id: shop.storeId, at: expect.any(String) },
      store_id: shop.storeId,
    });
    expect(await mail(invitation.id)).toEqual({
      email: 'gil@example.com',
      name: 'Gil',
      role: 'staff',
      language: 'fr',
      store_name: 'Corner Coffee',
      invited_by: 'Bo',
      token: expect.stringContaining(`${invitation.id}.`),
      expires_at: invitation.expires_at,
    });
    expect(await list()).toEqual([invitation]);
    expect(JSON.stringify(running.lines)).not.toContain('gil@example.com');
  });

  test('is accepted by a person who has the link, once; a repeat of that person gets the same, and another one is refused', async () => {
    const { id } = (await invite()).body.invitation;
    const { token } = (await mail(id)) ?? {};
    const who = await person();
    const first = await accept(token, { token: who.token });
    expect([first.status, first.body]).toEqual([
      200,
      { store: { id: shop.storeId, code: expect.any(String), name: 'Corner Coffee' }, role: 'staff' },
    ]);
    expect((await accept(token, { token: who.token })).body).toEqual(first.body);
    expect(refusal(await accept(token))).toEqual([409, 'INVITATION_ENDED']);
    expect((await shop.get('/staff')).body.staff).toContainEqual({ id: who.sub, name: 'Gil', role: 'staff', cards: [], version: 1 });
    expect((await shop.snapshots('staff', who.sub)).at(-1)?.data).toMatchObject({ stores: [{ id: shop.storeId, role: 'staff' }] });
    expect((await shop.changes('staff', who.sub))[0]).toMatchObject({ by_id: shop.ownerId, by_name: 'Bo', store_id: shop.storeId });
    expect([await list(), await mail(id)]).toEqual([[], null]);
    expect(refusal(await withdraw(id))).toEqual([409, 'INVITATION_ENDED']);
  });

  test('says which store it is of before it is accepted, to who has the link, and no more once it is over', async () => {
    const { id } = (await invite()).body.invitation;
    const { token } = (await mail(id)) ?? {};
    const lookUp = async (of: string | undefined) =>
      await shop.post('//invitations/look-up', { token: of }, { token: (await person()).token });
    running.statements.length = 0;
    expect((await lookUp(token)).body).toEqual({ store: { name: 'Corner Coffee' }, role: 'staff', invited_by: 'Bo' });
    expect(running.statements.filter((text) => /from invitation.*for update/s.test(text))).toEqual([]);
    expect((await accept(token)).status).toBe(200);
    expect(refusal(await lookUp(token))).toEqual([409, 'INVITATION_ENDED']);
    expect(refusal(await lookUp(`${token}x`))).toEqual([404, 'INVITATION_NOT_FOUND']);
  });

  test('accepted by two at once lets one in', async () => {
    const { token } = (await mail((await invite()).body.invitation.id)) ?? {};
    const both = await Promise.all([accept(token), accept(token), accept(token)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect((await shop.get('/staff')).body.staff).toHaveLength(2);
  });

  test('is one for a key, and another one to the address takes its place, also when both are sent at once', async () => {
    const key = randomUUID();
    const first = (await invite({}, { key })).body;
    expect((await invite({}, { key })).body).toEqual(first);
    const { token } = (await mail(first.invitation.id)) ?? {};
    const later = await Promise.all([invite({ email: 'GIL@example.com' }), invite({ role: 'manager' })]);
    expect(later.map(({ status }) => status)).toEqual([200, 200]);
    expect(await list()).toHaveLength(1);
    expect(refusal(await accept(token))).toEqual([409, 'INVITATION_ENDED']);
    expect(await mail(first.invitation.id)).toBeNull();
  });

  test('that was withdrawn, by one who may, is refused and not mailed; withdrawing again is no error', async () => {
    const { id } = (await invite({ role: 'manager' })).body.invitation;
    const { token } = (await mail(id)) ?? {};
    expect(refusal(await withdraw(id, { role: 'manager' }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect((await withdraw(id)).body.invitation.id).toBe(id);
    expect((await withdraw(id)).status).toBe(200);
    expect(refusal(await accept(token))).toEqual([409, 'INVITATION_ENDED']);
    expect([await list(), await mail(id)]).toEqual([[], null]);
  });

  test('ends after seven days, and is deleted a month later', async () => {
    const { id } = (await invite()).body.invitation;
    const { token } = (await mail(id)) ?? {};
    running.clock.advance({ hours: 7 * 24 });
    expect(refusal(await accept(token))).toEqual([409, 'INVITATION_ENDED']);
    expect([await list(), await mail(id)]).toEqual([[], null]);
    running.clock.advance({ hours: 31 * 24 });
    await deleteSessions(running.service.context);
    expect(refusal(await accept(token))).toEqual([404, 'INVITATION_NOT_FOUND']);
  });

  test('of someone who was dismissed or lowered since lets no one in', async () => {
    const fay = randomUUID();
    await shop.post('/staff', { id: fay, name: 'Fay', role: 'manager' });
    const asFay = await running.issuer.token({ typ: 'staff', sub: fay, name: 'Fay', stores: [{ id: shop.storeId, role: 'manager' }] });
    const { id } = (await invite({}, { token: asFay })).body.invitation;
    const { token } = (await mail(id)) ?? {};
    await shop.patch(`/staff/${fay}`, { role: 'staff' });
    expect(refusal(await accept(token))).toEqual([409, 'INVITATION_ENDED']);
    expect(await mail(id)).toBeNull();
  });

  test('to a role above staff is the owner’s', async () => {
    expect(refusal(await invite({ role: 'owner' }, { role: 'manager' }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect((await invite({ role: 'owner' })).status).toBe(200);
    expect((await invite({ email: 'other@example.com' }, { role: 'manager' })).status).toBe(200);
  });

  test('does not change the role of someone who works there already', async () => {
    const { token } = (await mail((await invite()).body.invitation.id)) ?? {};
    expect(refusal(await accept(token, { token: await running.issuer.token({ typ: 'merchant', sub: shop.ownerId }) }))).toEqual([
      409,
      'STAFF_EXISTS',
    ]);
  });

  test('with a token that was cut short, of another purpose or made up, is not found', async () => {
    const { id } = (await invite()).body.invitation;
    const { token = '' } = (await mail(id)) ?? {};
    const forged = [
      id,
      token.slice(0, -1),
      `${id}.`,
      `${randomUUID()}.${token.split('.')[1]}`,
      running.service.context.tokens?.seal('refresh', id),
    ];
    for (const text of forged) expect(refusal(await accept(text))).toEqual([404, 'INVITATION_NOT_FOUND']);
  });

  test('needs an address, a name and a known role, and the message names the field', async () => {
    const { status, body } = await invite({ email: 'gil', name: ' ', role: 'boss' });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/body\.email: .*body\.name: .*body\.role: /);
  });

  test('is one of a hundred open ones of a store, at most', async () => {
    await running.service.database.query(sql.type(z.object({}))`
      insert into invitation (id, store_id, email, name, role, by_id, created_at, expires_at)
      select gen_random_uuid(), ${shop.storeId}, n || '@example.com', 'N', 'staff', ${shop.ownerId}, ${start}, '2026-05-08T11:00:00Z'
      from generate_series(1, 100) n`);
    expect((await invite()).body.error.message).toBe('email: a store has at most 100 open invitations; withdraw some first');
    expect((await invite({ email: '7@example.com' })).status).toBe(200);
  });

  test('is not for staff, for customers, and for people of another store; of an unknown store it is not found', async () => {
    const other = await openShop(running);
    const { id } = (await invite()).body.invitation;
    const asOther = { token: await other.token('owner') };
    expect(refusal(await invite({}, { role: 'staff' }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(refusal(await shop.get('/invitations', { role: 'staff' }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(refusal(await withdraw(id, { role: 'staff' }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(refusal(await invite({}, asOther))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(refusal(await shop.get('/invitations', asOther))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(refusal(await other.post(`/invitations/${id}/withdraw`, {}))).toEqual([404, 'INVITATION_NOT_FOUND']);
    expect(await mail(id, other.storeId)).toBeNull();
    const unknown = randomUUID();
    const token = await running.issuer.token({ typ: 'merchant', stores: [{ id: unknown, role: 'owner' }] });
    expect(refusal(await shop.post(`//stores/${unknown}/invitations`, gil, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
    expect(refusal(await shop.get(`//stores/${unknown}/invitations`, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
    const customer = await running.issuer.token({ typ: 'customer' });
    expect(refusal(await shop.post('//invitations/accept', { token: 'a.b' }, { token: customer }))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});

test('without signing keys no one is invited: the link could not be proved', async () => {
  await using plain = await startRunning();
  const there = await openShop(plain);
  expect(refusal(await there.post('/invitations', gil))).toEqual([409, 'TOKENS_ISSUED_ELSEWHERE']);
  expect(refusal(await there.post('//invitations/accept', { token: 'a.b' }))).toEqual([409, 'TOKENS_ISSUED_ELSEWHERE']);
});
