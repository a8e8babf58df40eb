import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { endOverdue } from '../entry-points.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, cy, openSalon, type Salon, someCustomer } from '../testing/salon.ts';

let running: Running;
let salon: Salon;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  salon = await openSalon(running, 1);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const code = ({ status, body }: ApiResponse) => [status, body.error?.code];
const reopen = async (id: string, more?: object, token?: string | null) =>
  salon.move('reopen', id, more, token === undefined ? await salon.staff() : token);
const types = async () => (await salon.published()).map(({ type }) => type.replace('queue.', ''));

async function afterMoves(...moves: readonly string[]): Promise<string> {
  const { entry_id } = (await salon.join()).body;
  for (const move of moves) expect((await salon.move(move, entry_id)).status).toBe(200);
  return entry_id;
}

describe('an end that is undone', () => {
  test('gives a completed walk-in the chair back until its booked end, and says who did it', async () => {
    const id = await afterMoves('assign', 'complete');
    running.clock.advance({ minutes: 2 });
    const { status, body } = await reopen(id, { reason: 'Tapped by mistake.' });
    expect([status, body.entry]).toMatchObject([200, { status: 'assigned', hold_until: null, by: cy }]);
    expect((await salon.join()).body.expected_wait_min).toBe(28);
    expect((await salon.published()).find(({ type }) => type === 'queue.reopened')).toMatchObject({
      sequence: 4,
      data: { by_id: cy.id, hold_until: null, position: null },
    });
    const [, latest] = (await salon.log()).body.entries;
    expect(latest).toMatchObject({
      title: 'A guest was brought back',
      detail: 'Tapped by mistake.',
      by: cy,
      entry_id: id,
    });
  });

  test('holds a called walk-in again for the store’s hold time', async () => {
    const id = await afterMoves('call', 'no-show');
    running.clock.advance({ minutes: 9 });
    expect((await reopen(id)).body.entry).toMatchObject({
      status: 'called',
      called_at: '2026-05-01T11:00:00.000000Z',
      hold_until: '2026-05-01T11:14:00.000000Z',
    });
    running.clock.advance({ minutes: 5 });
    await endOverdue(running.service.context);
    expect(await types()).toEqual(['joined', 'called', 'no_show', 'reopened', 'no_show']);
  });

  test('of a call that lapsed, or of a no-show in a chair, can be undone as well', async () => {
    const lapsed = await afterMoves('call');
    running.clock.advance({ minutes: 5 });
    expect((await salon.status({ entry_id: lapsed })).body.entry.status).toBe('no_show');
    expect((await reopen(lapsed)).body.entry.status).toBe('called');
    const seated = await afterMoves('assign', 'no-show');
    expect((await reopen(seated)).body.entry.status).toBe('assigned');
  });

  test('whose chair was booked for a time that is over keeps the chair taken', async () => {
    const id = await afterMoves('assign');
    running.clock.advance({ minutes: 50 });
    await salon.move('complete', id);
    expect((await reopen(id)).body.entry.status).toBe('assigned');
    expect(code(await salon.move('assign', (await salon.join()).body.entry_id))).toEqual([409, 'NO_CAPACITY_TODAY']);
  });

  test('gives each member of a party its chair back', async () => {
    const id = (await salon.join({ party_size: 2 })).body.entry_id;
    for (const move of ['assign', 'complete']) await salon.move(move, id);
    await reopen(id);
    expect((await salon.join()).body.expected_wait_min).toBe(60);
  });

  test('is visible to the owner of the place at once', async () => {
    const { token } = await someCustomer(running);
    const { entry_id } = (await salon.join({}, token)).body;
    for (const move of ['assign', 'complete', 'reopen']) await salon.move(move, entry_id);
    expect((await salon.status({ store_id: salon.storeId }, token)).body.entry).toMatchObject({ entry_id, status: 'assigned' });
  });

  test('of a walk-in who joined at the same instant as one who waits keeps both places', async () => {
    const id = await afterMoves('call', 'no-show');
    const other = (await salon.join()).body.entry_id;
    expect((await reopen(id)).status).toBe(200);
    const { entries } = (await salon.list()).body;
    expect(entries.map(({ entry_id }: { entry_id: string }) => entry_id)).toEqual([id, other]);
  });
});

describe('an end is undone once', () => {
  test('when the request is repeated, and when two members of staff make it at once', async () => {
    const id = await afterMoves('assign', 'complete');
    const responses = await Promise.all([reopen(id), reopen(id), reopen(id)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await reopen(id)).body.entry.status).toBe('assigned');
    expect(await types()).toEqual(['joined', 'assigned', 'completed', 'reopened']);
  });

  test('and not again after the entry has ended a second time', async () => {
    const id = await afterMoves('assign', 'complete', 'reopen', 'complete');
    expect(code(await reopen(id))).toEqual([409, 'INVALID_TRANSITION']);
    expect((await salon.status({ entry_id: id })).body.entry.status).toBe('completed');
  });
});

describe('an end is not undone', () => {
  test('later than ten minutes after it', async () => {
    const id = await afterMoves('assign', 'complete');
    running.clock.set('2026-05-01T11:10:00.001Z');
    const response = await reopen(id);
    expect([...code(response), response.body.error.message]).toEqual([409, 'INVALID_TRANSITION', 'It ended more than ten minutes ago.']);
    running.clock.set('2026-05-01T11:10:00Z');
    expect((await reopen(id)).status).toBe(200);
  });

  test.each([
    ['waits', []],
    ['was called', ['call']],
    ['has a chair', ['assign']],
    ['took a booking for later', ['convert']],
  ] as const)('of a walk-in who %s', async (_, moves) => {
    expect(code(await reopen(await afterMoves(...moves)))).toEqual([409, 'INVALID_TRANSITION']);
  });

  test('of a walk-in who left', async () => {
    const id = await afterMoves();
    await salon.leave(id);
    expect(code(await reopen(id))).toEqual([409, 'INVALID_TRANSITION']);
  });

  test('when the chair was given to another since, or a booking takes it', async () => {
    const id = await afterMoves('assign', 'complete');
    const other = await afterMoves('assign');
    expect(code(await reopen(id))).toEqual([409, 'NO_CAPACITY_TODAY']);
    await salon.move('complete', other);
    await salon.book('2026-05-01T11:20:00Z', '2026-05-01T11:50:00Z');
    expect(code(await reopen(id))).toEqual([409, 'NO_CAPACITY_TODAY']);
    expect((await salon.status({ entry_id: id })).body.entry.status).toBe('completed');
  });

  test('when the customer has another place by now', async () => {
    const { token } = await someCustomer(running);
    const { entry_id } = (await salon.join({}, token)).body;
    for (const move of ['assign', 'complete']) await salon.move(move, entry_id);
    expect((await salon.join({}, token)).body.reused).toBe(false);
    expect(code(await reopen(entry_id))).toEqual([409, 'INVALID_TRANSITION']);
  });

  test('of an unknown entry or one of another store, by other callers, or with a reason that is too long', async () => {
    const id = await afterMoves('assign', 'complete');
    const other = await openSalon(running);
    expect(code(await other.move('reopen', id))).toEqual([404, 'QUEUE_ENTRY_NOT_FOUND']);
    expect(code(await reopen(randomUUID()))).toEqual([404, 'QUEUE_ENTRY_NOT_FOUND']);
    expect(code(await reopen(id, {}, null))).toEqual([401, 'UNAUTHENTICATED']);
    expect(code(await reopen(id, {}, await running.issuer.token({ typ: 'customer' })))).toEqual([403, 'WRONG_TOKEN_TYPE']);
    expect(code(await reopen(id, {}, await other.staff()))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(code(await reopen(id, { reason: 'x'.repeat(281) }))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await types()).toEqual(['joined', 'assigned', 'completed']);
  });
});
