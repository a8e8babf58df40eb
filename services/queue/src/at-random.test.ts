import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { seeded } from './rules/wait/under-test/seeded.ts';
import { endOverdue } from './schedules/end-overdue.ts';
import { type Running, startRunning } from './under-test/running.ts';
import { type Answered, openSalon, type Salon, someCustomer } from './under-test/salon.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

const moves = ['call', 'call', 'recall', 'assign', 'assign', 'assign', 'complete', 'complete', 'no-show', 'convert'] as const;

/** A few hours of a shop in which several people do things at the same instant, whatever comes to their minds. */
async function someHours(salon: Salon, seed: number): Promise<readonly Answered[]> {
  const random = seeded(seed);
  const customers = await Promise.all(Array.from({ length: 4 }, () => someCustomer(running)));
  const ids: string[] = [];
  const all: Answered[] = [];
  const joining = async (): Promise<Answered> => {
    const who = random(2) === 0 ? null : await running.issuer.token({ typ: 'customer', sub: customers[random(4)]?.id ?? randomUUID() });
    const answer = await salon.join({ party_size: 1 + (random(4) === 0 ? random(3) : 0) }, who);
    if (answer.status === 200) ids.push(answer.body.entry_id);
    return answer;
  };
  const deed = (): Promise<Answered> => {
    const id = ids[Math.max(0, ids.length - 1 - random(6))];
    const kind = random(10);
    if (id === undefined || kind < 3) return joining();
    if (kind === 3) return salon.leave(id);
    if (kind === 4) return salon.status({ entry_id: id });
    return salon.move(moves[random(moves.length)] as string, id, random(3) === 0 ? { unit_id: salon.chairs[random(3)] } : {});
  };
  // A full shop to begin with: from there on chance has chairs to free and to give.
  for (const _ of salon.chairs) all.push(await salon.move('assign', (await joining()).body.entry_id));
  for (let round = 0; round < 15; round += 1) {
    all.push(...(await Promise.all(Array.from({ length: 8 }, deed))));
    await endOverdue(running.service.context);
    running.clock.advance({ minutes: random(9) });
  }
  return all;
}

const Count = z.object({ count: z.number() });
const Entry = z.object({ id: z.string(), status: z.string(), told: z.number() });
const last: Readonly<Record<string, string>> = {
  'queue.joined': 'waiting',
  'queue.recalled': 'waiting',
  'queue.called': 'called',
  'queue.assigned': 'assigned',
  'queue.completed': 'completed',
  'queue.left': 'left',
  'queue.no_show': 'no_show',
  'queue.converted': 'converted_to_appointment',
};

test.each([1, 2])('whatever several people do at once, chairs, places and tellings agree (%i)', async (seed) => {
  running.clock.set('2026-05-01T09:00:00Z');
  const salon = await openSalon(running, 3);
  const answers = await someHours(salon, seed);
  expect(answers.filter(({ status }) => ![200, 404, 409].includes(status))).toEqual([]);
  const { database } = running.service;

  const shared = await database.oneFirst(sql.type(Count)`
    select count(*) from seat a join seat b on a.unit_id = b.unit_id and (a.appointment_id, a.starts_at) < (b.appointment_id, b.starts_at)
    where a.store_id = ${salon.storeId}
      and tstzrange(a.starts_at, coalesce(least(a.freed_at, a.ends_at), a.ends_at)) && tstzrange(b.starts_at, coalesce(least(b.freed_at, b.ends_at), b.ends_at))
      and a.starts_at < coalesce(a.freed_at, 'infinity') and b.starts_at < coalesce(b.freed_at, 'infinity')`);
  expect(shared).toBe(0);
  const astray = await database.oneFirst(sql.type(Count)`
    select count(*) from seat s join entry e on e.id = s.entry_id
    where s.store_id = ${salon.storeId} and (s.freed_at is null) <> (e.status = 'assigned')`);
  expect(astray).toBe(0);

  const told = Map.groupBy(await salon.told(), ({ aggregate_id }) => aggregate_id);
  const entries = await database.any(sql.type(Entry)`select id, status, told from entry where store_id = ${salon.storeId}`);
  expect(entries.length).toBeGreaterThan(10);
  expect((await salon.told()).filter(({ type }) => type === 'queue.assigned').length).toBeGreaterThan(0);
  for (const { id, status, told: count } of entries) {
    const ofEntry = told.get(id) ?? [];
    expect(ofEntry.map(({ sequence }) => sequence)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(last[ofEntry.at(-1)?.type ?? '']).toBe(status);
  }
});
