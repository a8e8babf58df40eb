import { randomUUID } from 'node:crypto';
import { type RpcInput, readLastVisits, rpcSubject } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';
import { answerForLoyalty as answerWhoIsKnown } from '../testing/visits.ts';
import { eraseUnseen } from './sagas/retention.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning({ at: '2023-05-01T11:00:00Z', settings: { RETENTION_YEARS: '3' } });
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const visits = new Map<string, string>();

async function answerForLoyalty(): Promise<Disposable> {
  const { broker } = await running.service.backbone;
  const reply = ({ customer_ids }: RpcInput<typeof readLastVisits>) => ({
    output: {
      visits: customer_ids.flatMap((customer_id) => (visits.has(customer_id) ? [{ customer_id, at: visits.get(customer_id) }] : [])),
    },
  });
  const subscription = broker.connection.subscribe(broker.subject(rpcSubject(readLastVisits)), {
    callback: (_error, message) => void message.respond(JSON.stringify(reply(message.json()))),
  });
  await broker.connection.flush();
  return { [Symbol.dispose]: () => subscription.unsubscribe() };
}

async function live(): Promise<string> {
  const id = randomUUID();
  const token = await running.issuer.token({ typ: 'customer', sub: id, ttlSeconds: 86_400 });
  expect((await shop.patch('//me', { name: 'Zed' }, { token })).status).toBe(200);
  return id;
}

const erased = async (): Promise<readonly string[]> =>
  (
    await running.service.database.any(sql.type(z.object({ id: z.string(), by: z.string() }))`
      select customer_id as id, requested_by as by from erasure where sequence > 0 order by requested_at, customer_id`)
  ).map(({ id, by }) => `${id} ${by}`);

test('who did not visit for the years of retention is erased once, and not who visited, was here, is a member, or while loyalty is silent', async () => {
  const gone = await live();
  const [visitor, profiled, signedIn, member] = [await live(), await live(), await live(), await live()];
  using known = await answerWhoIsKnown(running);
  known.add(shop.storeId, member);
  const membership = { membership: { status: 'active', plan_name: 'Regulars' } };
  expect((await shop.patch(`/customers/${member}`, membership)).status).toBe(200);
  running.clock.set('2023-05-01T11:00:01Z');
  const profiledToken = await running.issuer.token({ typ: 'customer', sub: profiled, ttlSeconds: 86_400 });
  expect((await shop.patch('//me', { name: 'Zoe' }, { token: profiledToken })).status).toBe(200);
  await running.service.database.query(sql.type(z.object({}))`
    insert into session (id, kind, person_id, started_at, refreshed_at, expires_at)
    values (${randomUUID()}, 'customer', ${signedIn}, '2023-05-01T11:00:00Z', '2024-05-01T11:00:00Z', '2027-05-01T11:00:00Z')`);
  visits.set(gone, '2023-04-30T11:00:00.000000Z');
  visits.set(visitor, '2023-05-02T11:00:00.000000Z');

  running.clock.set('2026-05-01T11:00:00Z');
  using _answers = await answerForLoyalty();
  await eraseUnseen(running.service.context);
  expect(await erased()).toEqual([]);

  running.clock.set('2026-05-01T11:00:01Z');
  _answers[Symbol.dispose]();
  await eraseUnseen(running.service.context);
  expect(await erased()).toEqual([]);

  using _again = await answerForLoyalty();
  for (let run = 0; run < 2; run += 1) await eraseUnseen(running.service.context);
  expect(await erased()).toEqual([`${gone} retention`]);
});
