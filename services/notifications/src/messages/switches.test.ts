// covers: upsertPreferences
import { randomUUID } from 'node:crypto';
import { messagesSwitchedBy, type PreferenceToggle, preferenceToggles, queueCalled, queueRecalled } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { writeCampaigns } from '../campaigns/entry-points.ts';
import { deliverCampaigns, deliverMessages } from './jobs.ts';
import { letsSend } from './rules/preferences.ts';
import { customerSeenEvent, orderEvents, queueEvents } from './testing/events.ts';
import { messageEvents } from './testing/message-events.ts';
import { type Guest, type Messaging, startMessaging } from './testing/messaging.ts';
import { preferencesClient } from './testing/preferences-client.ts';
import { sampleData } from './testing/sample-data.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => await messaging[Symbol.asyncDispose]());

/** Written down apart from the contracts, so that two of their lists cannot change places unseen. */
const stoppedBy: Readonly<Record<PreferenceToggle, readonly string[]>> = {
  messagesMuted: ['campaign.message', 'message.written'],
  classReminders: ['booking.reminder'],
  marketingEnabled: ['campaign.message'],
  ...switchedEvents(['classEventsEnabled', 'voucherEventsEnabled', 'stampEventsEnabled']),
  ...switchedEvents(['membershipEventsEnabled', 'penaltyEventsEnabled']),
};

function switchedEvents<T extends PreferenceToggle>(toggles: readonly T[]) {
  const named = toggles.map((toggle) => [
    toggle,
    messageEvents
      .filter((row) => row[3] === toggle)
      .map(([name]) => name)
      .sort(),
  ]);
  return Object.fromEntries(named) as Record<T, string[]>;
}

/** Each kind of message to a customer; an invitation goes to someone who is not one yet. */
const kinds = Object.keys(sampleData).filter((name) => !name.startsWith('store.') && name !== 'staff.invited');

/** One customer for each switch, who has only that one off, and a first who has all of them on. They deal with one store. */
async function customersBySwitch(): Promise<readonly (Guest & { readonly off: PreferenceToggle | null })[]> {
  const { storeId } = await messaging.guest();
  const clients = preferencesClient(() => messaging.running);
  return await Promise.all(
    [null, ...preferenceToggles].map(async (off) => {
      const guest = { ...(await messaging.guest()), storeId, off };
      await messaging.publish(customerSeenEvent(guest.customerId, storeId, '2026-06-01T11:00:00Z'));
      const choices = preferenceToggles.map((toggle) => [toggle, letsSend(toggle, true) === (toggle !== off)]);
      const client = clients.customer({ sub: guest.customerId });
      expect(await client.update(storeId, Object.fromEntries(choices))).toMatchObject({ status: 200 });
      expect(await client.preferences()).toMatchObject([Object.fromEntries(choices)]);
      return guest;
    }),
  );
}

async function post(storeId: string, path: string, body: object) {
  const token = await messaging.running.issuer.token({ typ: 'merchant', sub: randomUUID(), stores: [{ id: storeId, role: 'manager' }] });
  const response = await fetch(`${messaging.running.service.url}/api/v1/notifications/stores/${storeId}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { campaign: { id: string } };
}

async function deliverAll(storeId: string): Promise<void> {
  const { context, database } = messaging.running.service;
  messaging.clock.advance({ seconds: 3 });
  const due = sql.type(z.object({ due: z.number() }))`select count(*)::int as due from message
    where store_id = ${storeId} and state = 'pending' and due_at <= ${messaging.clock.now().toISOString()}`;
  await until(
    async () => {
      await Promise.all([deliverMessages(context), deliverCampaigns(context)]);
      return (await database.oneFirst(due)) === 0;
    },
    { describe: 'what is due to be delivered' },
  );
}

/** Everything of which a store writes: each event, what corrects one, a reminder, words of staff, and a campaign. */
async function live(customers: readonly Guest[]): Promise<void> {
  const [{ storeId } = { storeId: '' }] = customers;
  const corrected = customers.map((guest) => {
    const [order, entry] = [orderEvents(guest), queueEvents(guest)];
    return [
      [order.moved('ready', 2), entry(queueCalled, 1, '2026-06-01T13:00:00Z')],
      [order.moved('preparing', 3, 'ready'), entry(queueRecalled, 2)],
    ] as const;
  });
  await messaging.publish(...customers.flatMap((guest) => messageEvents.map(([, createEvent]) => createEvent(guest))));
  await messaging.publish(...corrected.flatMap(([events]) => events));
  for (const { customerId } of customers) await post(storeId, 'messages', { customer_id: customerId, text: 'Your umbrella is here.' });
  const { campaign } = await post(storeId, 'campaigns', { audience: { kind: 'everyone' }, title: 'New beans', body: 'Come and try them.' });
  await post(storeId, `campaigns/${campaign.id}/send`, {});
  await writeCampaigns(messaging.running.service.context);
  await deliverAll(storeId);
  await messaging.publish(...corrected.flatMap(([, corrections]) => corrections));
  await deliverAll(storeId);
  messaging.clock.set('2026-06-04T14:00:00Z');
  await deliverAll(storeId);
}

const Sent = z.object({ customer_id: z.string(), template: z.string() });

test('each switch stops exactly its messages, and all others are still sent', async () => {
  const customers = await customersBySwitch();
  await live(customers);
  const sent = await messaging.running.service.database.any(sql.type(Sent)`
    select customer_id, template from message where store_id = ${customers[0]?.storeId ?? null} and state = 'sent'`);
  const missing = customers.map((guest) => {
    const got = sent.filter(({ customer_id }) => customer_id === guest.customerId).map(({ template }) => template);
    expect(messaging.received(guest)).toHaveLength(got.length);
    return [guest.off, kinds.filter((kind) => !got.includes(kind)).sort()];
  });
  expect(Object.fromEntries(missing)).toEqual({ null: [], ...stoppedBy });
});

test('the contracts name for each switch exactly the messages that it stops', () => {
  expect(Object.fromEntries(preferenceToggles.map((toggle) => [toggle, [...messagesSwitchedBy[toggle]].sort()]))).toEqual(stoppedBy);
});
