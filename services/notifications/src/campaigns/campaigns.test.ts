// covers: makeCampaign
// covers: listCampaigns
// covers: testCampaign
// covers: sendCampaign
// covers: stopCampaign

import { randomUUID } from 'node:crypto';
import { directoryProgramme, directoryStore } from '@corner/contracts';
import { envelopeOf, until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { deliverCampaigns } from '../messages/jobs.ts';
import { orderEvents } from '../messages/testing/events.ts';
import { customerSnapshot, type Messaging, startMessaging } from '../messages/testing/messaging.ts';
import { settleCampaigns, writeCampaigns } from './entry-points.ts';
import { quietFrom } from './rules.ts';
import { claimSending, writeBatch } from './tables/campaigns.ts';

let messaging: Messaging;
let storeId: string;

beforeAll(async () => {
  messaging = await startMessaging();
});
beforeEach(async () => {
  messaging.clock.set('2026-06-01T12:00:00Z');
  storeId = randomUUID();
  const contacts = [{ name: 'Bea', email: `bea-${storeId}@example.com` }];
  const store = { id: storeId, version: 1, code: 'S1', name: 'Bea’s Bakery', time_zone: 'Europe/Paris', currency: 'EUR', contacts };
  await messaging.publish(envelopeOf(directoryStore, store, { aggregateId: storeId, storeId }));
});
afterAll(async () => await messaging[Symbol.asyncDispose]());

const run = (statement: ReturnType<ReturnType<typeof sql.type<typeof rows>>>) => messaging.running.service.database.query(statement);
const rows = z.object({});

async function someone(accepted: boolean | null, at = storeId): Promise<string> {
  const id = randomUUID();
  await messaging.publish(customerSnapshot(id, 1));
  if (accepted !== null) await answer(id, accepted, at);
  return id;
}

const request = async (path: string, body?: object, role: 'owner' | 'manager' | 'staff' = 'manager', at = storeId) => {
  const token = await messaging.running.issuer.token({ typ: 'merchant', stores: [{ id: at, role }] });
  const response = await fetch(`${messaging.running.service.url}/api/v1/notifications/stores/${at}/campaigns${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a body of its own
  return { status: response.status, body: (await response.json()) as any };
};

async function answer(customerId: string, accepted: boolean, at = storeId): Promise<void> {
  const token = await messaging.running.issuer.token({ typ: 'customer', sub: customerId });
  const response = await fetch(`${messaging.running.service.url}/api/v1/notifications/marketing-opt-in`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ store_id: at, accepted }),
  });
  expect(response.status).toBe(200);
}

const make = async (audience: object = { kind: 'everyone' }) => {
  const { status, body } = await request('', { audience, title: 'New beans', body: 'Come and try them.' });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as { campaign: { id: string }; audience_count: number };
};
const send = async (id: string) => expect((await request(`/${id}/send`, {})).status).toBe(200);
const write = () => writeCampaigns(messaging.running.service.context);
const results = async () => {
  await settleCampaigns(messaging.running.service.context);
  return (await request('')).body.campaigns[0].results;
};
async function sentTo(): Promise<readonly string[]> {
  await deliverCampaigns(messaging.running.service.context);
  const pending = sql.type(z.object({ pending: z.number() }))`
    select count(*)::int as pending from message where store_id = ${storeId} and state = 'pending'`;
  await until(async () => (await messaging.running.service.database.oneFirst(pending)) === 0, { describe: 'the campaign to be delivered' });
  const sent = sql.type(z.object({ customer_id: z.string() }))`
    select customer_id from message where store_id = ${storeId} and template = 'campaign.message' and state = 'sent' order by customer_id`;
  return messaging.running.service.database.anyFirst(sent);
}

test('no other message waits for those of a campaign, and they wait for no other', async () => {
  await someone(true);
  await send((await make()).campaign.id);
  await write();
  const receipt = orderEvents(await messaging.guest()).paid();
  await messaging.publish(receipt);
  expect(await messaging.messagesOf(receipt)).toMatchObject([{ state: 'sent' }]);
  const states = sql.type(z.object({ state: z.string() }))`select state from message where store_id = ${storeId}`;
  expect(await messaging.running.service.database.anyFirst(states)).toEqual(['pending']);
  expect(await sentTo()).toHaveLength(1);
});

describe('a campaign', () => {
  test('goes to those who said yes and to no one else, once, and each message names the answer that allows it', async () => {
    const [yes, no, never, later] = [await someone(true), await someone(false), await someone(null), await someone(true)];
    await someone(true, (await otherStore()).id);
    await answer(later, false);
    const { campaign, audience_count } = await make();
    expect(audience_count).toBe(1);
    await write();
    expect(await sentTo()).toEqual([]);
    for (const _ of [1, 2]) await send(campaign.id);
    await Promise.all([write(), write()]);
    await write();
    expect(await sentTo()).toEqual([yes]);
    expect([no, never, later]).not.toContain(yes);
    const Proof = z.object({ accepted: z.boolean() });
    expect(
      await messaging.running.service.database.any(sql.type(Proof)`
        select c.accepted from campaign_recipient r join consent c
          on c.customer_id = r.customer_id and c.store_id = r.store_id and c.sequence = r.consent_sequence
        where r.campaign_id = ${campaign.id}`),
    ).toEqual([{ accepted: true }]);
    expect(messaging.sandbox.inbox.all().find(({ to }) => to.startsWith(`phone-${yes}`))).toMatchObject({
      title: 'Bea’s Bakery: New beans',
      text: 'Come and try them.',
    });
    expect(await results()).toMatchObject({ written: 1, sent: 1, muted: 0, held_out: 0 });
  });

  test('is not sent to a customer who says no after it was written, nor to one who was erased', async () => {
    const [changes, goes] = [await someone(true), await someone(true)];
    const { campaign } = await make();
    await run(sql.type(rows)`insert into erased_customer (customer_id, sequence, erased_at) values (${goes}, 1, now())`);
    await send(campaign.id);
    await messaging.running.service.database.transaction(async (tx) => {
      const claimed = await claimSending(tx, campaign.id);
      expect(claimed && (await writeBatch(tx, claimed, { batchSize: 100, expiresAt: quietFrom(tx.now, 'Europe/Paris') })).written).toBe(1);
    });
    await answer(changes, false);
    expect(await sentTo()).toEqual([]);
    expect(await results()).toMatchObject({ written: 1, sent: 0, muted: 1, stopped: 1 });
  });

  test('is not for a customer who has muted the store, and is not sent to one who mutes it after it was written', async () => {
    const [muted, mutes, goes] = [await someone(true), await someone(true), await someone(true)];
    const mute = (id: string) =>
      run(sql.type(rows)`update preference set messages_muted = true where customer_id = ${id} and store_id = ${storeId}`);
    await mute(muted);
    const { campaign, audience_count } = await make();
    expect(audience_count).toBe(2);
    await send(campaign.id);
    await messaging.running.service.database.transaction(async (tx) => {
      const claimed = await claimSending(tx, campaign.id);
      expect(claimed && (await writeBatch(tx, claimed, { batchSize: 100, expiresAt: quietFrom(tx.now, 'Europe/Paris') })).written).toBe(2);
    });
    await mute(mutes);
    expect(await sentTo()).toEqual([goes]);
    expect(await results()).toMatchObject({ written: 2, sent: 1, muted: 1 });
  });

  test('of a further store of a programme goes to those whose card or reward the programme has, until the store leaves it', async () => {
    const home = (await otherStore()).id;
    const [near, rewarded] = [await someone(true), await someone(true)];
    await run(sql.type(rows)`insert into pass_card (customer_id, store_id, sequence, stamps, goal) values (${near}, ${home}, 1, 9, 10)`);
    await run(sql.type(rows)`insert into pass_voucher (voucher_id, customer_id, store_id, sequence, state)
      values (${randomUUID()}, ${rewarded}, ${home}, 1, 'active')`);
    const programme = (version: number, store_ids: string[]) =>
      messaging.publish(
        envelopeOf(directoryProgramme, { store_id: home, version, store_ids }, { aggregateId: home, sequence: version, storeId: home }),
      );
    const counts = async () => [
      (await make({ kind: 'one_stamp_to_go' })).audience_count,
      (await make({ kind: 'reward_waiting' })).audience_count,
    ];
    expect(await counts()).toEqual([0, 0]);
    await programme(1, [storeId]);
    expect(await counts()).toEqual([1, 1]);
    await programme(2, [home]);
    expect(await counts()).toEqual([0, 0]);
  });

  test('shares the hundred customers of a run with the others, and those of quiet stores and one that fails do not keep it', async () => {
    const quiet = (await otherStore('Asia/Tokyo')).id;
    const people = (at: string) =>
      run(sql.type(rows)`
        with people as (select md5(${at} || n)::uuid as id from generate_series(1, 120) n),
        said as (insert into consent (customer_id, store_id, sequence, at, accepted, way) select id, ${at}, 1, now(), true, 'api' from people)
        insert into preference (customer_id, store_id, marketing_enabled) select id, ${at}, true from people`);
    const { id: broken } = await otherStore();
    for (const at of [storeId, broken]) await people(at);
    const begun = (at: string, n: number, audience: object) =>
      run(sql.type(rows)`insert into campaign (id, store_id, audience, title, body, state, by_id, made_at, begun_at)
        select gen_random_uuid(), ${at}, ${sql.jsonb(audience)}, 't', 'b', 'sending', 'x', at, at
        from (select '2026-05-31T12:00:00Z'::timestamptz as at) a, generate_series(1, ${n})`);
    await begun(quiet, 150, { kind: 'everyone' });
    await begun(broken, 1, { kind: 'not_seen', days: 2_000_000_000 });
    const { campaign } = await make();
    await send(campaign.id);
    const recipients = () =>
      messaging.running.service.database.oneFirst(sql.type(z.object({ n: z.number() }))`
        select count(*)::int as n from campaign_recipient where campaign_id = ${campaign.id}`);
    messaging.clock.set('2026-06-01T12:00:10Z');
    await write();
    expect(await recipients()).toBe(50);
    await write();
    await write();
    expect(await recipients()).toBe(120);
    await run(sql.type(rows)`update campaign set state = 'stopped', ended_at = begun_at where state = 'sending'`);
  });

  test('is not sent in the evening, when no channel has taken it by nine at the store', async () => {
    await someone(true);
    await send((await make()).campaign.id);
    await write();
    const Ends = z.object({ ends: z.string() });
    expect(
      await messaging.running.service.database.anyFirst(sql.type(Ends)`
        select to_char(expires_at at time zone 'utc', 'MM-DD HH24:MI') as ends from message where store_id = ${storeId}`),
    ).toEqual(['06-01 19:00']);
  });

  test('has its results kept when nothing more is counted, and its customers are written only when they change', async () => {
    const customer = await someone(true);
    const { campaign } = await make();
    await send(campaign.id);
    await write();
    await sentTo();
    const Row = z.object({ xmin: z.string() });
    const row = () =>
      messaging.running.service.database.oneFirst(
        sql.type(Row)`select xmin::text from campaign_recipient where campaign_id = ${campaign.id}`,
      );
    const before = await row();
    await results();
    const settled = await row();
    expect(settled).not.toBe(before);
    await results();
    expect(await row()).toBe(settled);
    await run(sql.type(rows)`insert into interaction (customer_id, store_id, first_at, last_at)
      values (${customer}, ${storeId}, '2026-06-03T12:00:00Z', '2026-06-03T12:00:00Z')`);
    const counted = await results();
    expect(counted).toMatchObject({ written: 1, sent: 1, came_back: 1 });
    const gone = () => run(sql.type(rows)`delete from campaign_recipient where campaign_id = ${campaign.id}`);
    messaging.clock.set('2026-06-16T12:00:00Z');
    expect(await results()).toEqual(counted);
    await gone();
    expect(await results()).toEqual(counted);
  });

  test('goes to those whom its rule names', async () => {
    const [near, rewarded, away, plain] = [await someone(true), await someone(true), await someone(true), await someone(true)];
    for (const id of [near, rewarded, plain])
      await run(sql.type(rows)`insert into interaction (customer_id, store_id, first_at, last_at)
        values (${id}, ${storeId}, '2026-05-30T12:00:00Z', '2026-05-30T12:00:00Z')`);
    await run(sql.type(rows)`insert into pass_card (customer_id, store_id, sequence, stamps, goal) values (${near}, ${storeId}, 1, 9, 10)`);
    await run(sql.type(rows)`insert into pass_voucher (voucher_id, customer_id, store_id, sequence, state)
      values (${randomUUID()}, ${rewarded}, ${storeId}, 1, 'active')`);
    for (const [audience, expected] of [
      [{ kind: 'one_stamp_to_go' }, [near]],
      [{ kind: 'reward_waiting' }, [rewarded]],
      [{ kind: 'not_seen', days: 30 }, [away]],
    ] as const) {
      const { campaign, audience_count } = await make(audience);
      expect(audience_count).toBe(1);
      await send(campaign.id);
      await write();
      const Recipient = z.object({ customer_id: z.string() });
      expect(
        await messaging.running.service.database.anyFirst(sql.type(Recipient)`
          select customer_id from campaign_recipient where campaign_id = ${campaign.id}`),
      ).toEqual(expected);
    }
  });

  test('waits for the morning at the store', async () => {
    await someone(true);
    const { campaign } = await make();
    await send(campaign.id);
    for (const quiet of ['2026-06-01T19:00:00Z', '2026-06-02T06:59:59Z']) {
      messaging.clock.set(quiet);
      await write();
      expect(await sentTo()).toEqual([]);
    }
    messaging.clock.set('2026-06-02T07:00:00Z');
    await write();
    expect(await sentTo()).toHaveLength(1);
  });

  test('is one of four at most that a customer gets of a store in thirty days', async () => {
    const customer = await someone(true);
    for (let n = 0; n < 5; n += 1) {
      await send((await make()).campaign.id);
      await write();
    }
    expect(await sentTo()).toEqual(Array(4).fill(customer));
    messaging.clock.set('2026-07-02T12:00:00Z');
    await send((await make()).campaign.id);
    await write();
    expect(await sentTo()).toHaveLength(5);
  });

  test('that is stopped writes no further message, and none before it is sent', async () => {
    await someone(true);
    const { campaign } = await make();
    await send(campaign.id);
    for (const _ of [1, 2]) expect((await request(`/${campaign.id}/stop`, {})).body.campaign.state).toBe('stopped');
    await write();
    expect(await sentTo()).toEqual([]);
    expect((await request(`/${campaign.id}/send`, {})).body.error.code).toBe('INVALID_TRANSITION');
  });

  test('of a large audience leaves out a tenth by lot, and counts who came back of both', async () => {
    await run(sql.type(rows)`
      with people as (select md5(${storeId} || n)::uuid as id from generate_series(1, 450) n),
      said as (insert into consent (customer_id, store_id, sequence, at, accepted, way) select id, ${storeId}, 1, now(), true, 'api' from people)
      insert into preference (customer_id, store_id, marketing_enabled) select id, ${storeId}, true from people`);
    const { campaign, audience_count } = await make();
    expect(audience_count).toBe(450);
    await send(campaign.id);
    for (let batch = 0; batch < 5; batch += 1) await write();
    expect((await request('')).body.campaigns[0].state).toBe('sent');
    await sentTo();
    const before = await results();
    expect(before.written + before.held_out).toBe(450);
    expect(before.held_out).toBeGreaterThan(20);
    expect(before.held_out).toBeLessThan(80);
    messaging.clock.set('2026-06-03T12:00:00Z');
    await run(sql.type(rows)`
      insert into interaction (customer_id, store_id, first_at, last_at)
      select customer_id, store_id, '2026-06-03T12:00:00Z', '2026-06-03T12:00:00Z' from campaign_recipient where campaign_id = ${campaign.id}`);
    // Includes those whom no channel reached, because the held-out customers were not tested for a channel either.
    expect(await results()).toMatchObject({ sent: 0, came_back: before.written, held_out_came_back: before.held_out });
  });

  test('can be sent to the store itself', async () => {
    const { campaign } = await make();
    expect((await request(`/${campaign.id}/test`, {})).body).toEqual({ messages: 1 });
    await sentTo();
    expect(messaging.sandbox.inbox.all().find(({ to }) => to === `bea-${storeId}@example.com`)).toMatchObject({
      title: 'Test, Bea’s Bakery: New beans',
    });
  });

  test('is its store’s, and of its managers', async () => {
    const { campaign } = await make();
    const other = await otherStore();
    for (const step of ['test', 'send', 'stop'])
      expect((await request(`/${campaign.id}/${step}`, {}, 'manager', other.id)).body.error.code).toBe('CAMPAIGN_NOT_FOUND');
    expect((await request('', undefined, 'staff')).body.error.code).toBe('INSUFFICIENT_ROLE');
    expect((await request('', undefined, 'manager', randomUUID())).body.error.code).toBe('STORE_NOT_FOUND');
  });
});

async function otherStore(time_zone = 'Europe/Paris'): Promise<{ readonly id: string }> {
  const id = randomUUID();
  const store = { id, version: 1, code: 'S2', name: 'Other', time_zone, currency: 'EUR' };
  await messaging.publish(envelopeOf(directoryStore, store, { aggregateId: id, storeId: id }));
  return { id };
}
