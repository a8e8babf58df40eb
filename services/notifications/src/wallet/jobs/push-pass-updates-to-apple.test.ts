import { until } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { mostAttempts, pauseMs } from '../rules/retry-delay.ts';
import { registerDevice } from '../tables/devices.ts';
import { noticesOf } from '../testing/pending-updates.ts';
import { aPhone, type Phones, startPhones } from '../testing/testbed.ts';

let phones: Phones;

beforeAll(async () => {
  phones = await startPhones();
});
afterEach(() => phones.messages.controls.clearFaults());
afterAll(async () => {
  await phones[Symbol.asyncDispose]();
});

const { notices, settled, failed } = noticesOf(() => phones);

/** A guest whose stamp card is on so many phones, all told of what was there at first. */
async function guestWithPhones(count: number) {
  const guest = await phones.guest();
  const { serial } = (await guest.passes())[0];
  const all = Array.from({ length: count }, aPhone);
  for (const phone of all) await registerDevice(phones.running.service.database, { ...phone, serial }, phones.clock.now());
  await phones.pass(2);
  await arrived(all, 1);
  await settled(serial);
  return { guest, serial: serial as string, all };
}

const pushes = (all: readonly { pushToken: string }[]) => all.map(({ pushToken }) => phones.messages.inbox.to(pushToken).length);
const arrived = (all: readonly { pushToken: string }[], count: number) =>
  phones.messages.inbox.until(() => pushes(all).every((sum) => sum >= count));
describe('phones', () => {
  test('each are told of a change, and one that is gone is told no more', async () => {
    const { guest, serial, all } = await guestWithPhones(3);
    const [gone, ...rest] = all as [(typeof all)[0], ...typeof all];
    phones.messages.controls.dropDevice(gone.pushToken);
    await phones.publish(guest.stamp(1, 1));
    await phones.pass(2);
    await arrived(rest, 2);
    await settled(serial);
    expect(pushes([gone])).toEqual([1]);
    const kept = await phones.running.service.database.anyFirst(
      sql.type(z.object({ push_token: z.string() }))`select push_token from pass_device where serial = ${serial}`,
    );
    expect(kept.toSorted()).toEqual(rest.map(({ pushToken }) => pushToken).toSorted());
  });

  test('that cannot be reached are told later, while events go on being worked through', async () => {
    const { guest, serial, all } = await guestWithPhones(1);
    phones.messages.controls.fail({ at: 'apns', how: 'unavailable', times: 2, to: all[0]?.pushToken });
    await phones.publish(guest.stamp(1, 1));
    await phones.pass(2);
    await failed(serial, 1);
    await phones.pass(4.9);
    expect(await notices(serial)).toMatchObject([{ wallet: 'apple', attempts: 1 }]);
    await phones.pass(0.1);
    await failed(serial, 2);
    await phones.publish(guest.stamp(2, 2));
    await phones.pass(10);
    await arrived(all, 2);
    await settled(serial);
  });

  test('given up on after the last try are told of the next change', async () => {
    const { guest, serial, all } = await guestWithPhones(1);
    phones.messages.controls.fail({ at: 'apns', how: 'unavailable', times: 1, to: all[0]?.pushToken });
    await phones.publish(guest.stamp(1, 1));
    await phones.running.service.database.query(sql.type(z.object({}))`
      insert into pass_notice (serial, wallet, due_at, attempts) values (${serial}, 'apple', ${phones.clock.now().toISOString()}, ${mostAttempts - 1})`);
    await until(async () => (await notices(serial)).some(({ gave_up }) => gave_up), { describe: 'given up' });
    await phones.pass(pauseMs(mostAttempts) / 1000);
    await phones.publish(guest.stamp(2, 2));
    await phones.pass(2);
    await arrived(all, 2);
    await settled(serial);
  });
});
