import { randomUUID } from 'node:crypto';
import { type EventContract, type StampData, stampApproved, stampPending, stampRejected } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { notifyStoresOfStamps } from '../jobs.ts';
import { cardEvents } from '../testing/card-events.ts';
import { type Messaging, startMessaging } from '../testing/messaging.ts';
import { type ContactedStore, contactedStore } from '../testing/store-contacts.ts';

let messaging: Messaging;
let store: ContactedStore;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});
beforeEach(async () => {
  store = await contactedStore(messaging);
});

/** Publishes a change of a stamp of another customer each time. */
async function stamp(event: EventContract<typeof StampData>, id: string, sequence: number): Promise<void> {
  await messaging.publish(cardEvents({ ...store.guest, customerId: randomUUID() }).stamp(event, sequence, 4, id));
}
async function wait(): Promise<string> {
  const id = randomUUID();
  await stamp(stampPending, id, 1);
  return id;
}
const approve = (id: string) => stamp(stampApproved, id, 2);
const reject = (id: string) => stamp(stampRejected, id, 2);
const runJob = (times = 1) => Promise.all(Array.from({ length: times }, () => notifyStoresOfStamps(messaging.running.service.context)));
const mails = () =>
  store
    .received()
    .filter(({ by }) => by === 'smtp')
    .map(({ title, text }) => `${title}: ${text}`);
const attempts = () =>
  messaging.running.service.database.anyFirst(sql.type(z.object({ attempts: z.number() }))`
    select attempts from message where store_id = ${store.guest.storeId} and contact_id is not null`);
const arrived = (count: number) => until(() => (mails().length >= count ? mails() : null), { describe: `${count} mails` });

describe('stamps that wait for approval', () => {
  test('make one message for all of them, by e-mail and push, not one for each', async () => {
    for (let count = 0; count < 5; count += 1) await wait();
    await runJob(4);
    expect(await arrived(1)).toEqual([expect.stringMatching(/^5 stamps wait for approval/)]);
    const channels = () => store.received().map(({ by }) => by);
    await until(() => channels().length >= 2, { describe: 'the push' });
    expect(channels().toSorted()).toEqual(['fcm', 'smtp']);
    // Two replicas that create one digest twice would not be seen in the inbox, where the newer message wins.
    const created = await messaging.running.service.database.any(sql.type(z.object({}))`
      select from message where store_id = ${store.guest.storeId} and template = 'store.stamps_waiting'`);
    expect(created).toHaveLength(2);
  });

  test('make another message after the period only, and none while none waits', async () => {
    const first = await wait();
    await runJob();
    await arrived(1);
    await wait();
    messaging.advance({ minutes: 239 });
    await runJob();
    messaging.advance({ minutes: 1 });
    await runJob();
    expect(await arrived(2)).toEqual([expect.stringMatching(/^1 stamp waits/), expect.stringMatching(/^2 stamps wait/)]);
    const second = await wait();
    await approve(first);
    await reject(second);
    messaging.advance({ minutes: 240 });
    await runJob();
    expect((await arrived(4)).slice(2).toSorted()).toEqual([
      expect.stringMatching(/^1 stamp waits/),
      expect.stringMatching(/^Stamps were reviewed: At Bea’s Bakery, 1 approved and 1 rejected\./),
    ]);
  });

  test('make no message when the last one was reviewed before it was sent', async () => {
    const { address } = store;
    messaging.sandbox.controls.fail({ at: 'smtp', how: 'unavailable', to: address.email });
    messaging.sandbox.controls.fail({ at: 'fcm', how: 'unavailable', to: address.device });
    const id = await wait();
    await runJob();
    await until(async () => (await attempts()).length === 2 && (await attempts()).every((count) => count === 1), {
      describe: 'the attempts that fail',
    });
    await approve(id);
    messaging.advance({ seconds: 20 });
    await runJob();
    expect(await arrived(1)).toEqual([expect.stringMatching(/^Stamps were reviewed/)]);
  });
});

describe('a review', () => {
  test('is reported to the contacts with the reviews around it, after a pause of ten seconds', async () => {
    const [one, two, three] = [await wait(), await wait(), await wait()];
    await runJob();
    await arrived(1);
    await approve(one);
    await approve(two);
    messaging.advance({ seconds: 9 });
    await reject(three);
    messaging.advance({ seconds: 9 });
    await runJob();
    messaging.advance({ seconds: 1 });
    await runJob(4);
    expect((await arrived(2)).slice(1)).toEqual([
      expect.stringMatching(/^Stamps were reviewed: At Bea’s Bakery, 2 approved and 1 rejected\./),
    ]);
  });

  test('is not reported of a stamp that was approved without waiting, also when the event of its wait arrives late', async () => {
    const id = randomUUID();
    await approve(id);
    await stamp(stampPending, id, 1);
    await approve(id);
    messaging.advance({ minutes: 10 });
    await runJob();
    const other = await wait();
    await runJob();
    expect(await arrived(1)).toEqual([expect.stringMatching(/^1 stamp waits/)]);
    await approve(other);
  });
});
