import { until } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { maxAttempts, retryDelayMs } from '../jobs.ts';
import { insertDevice } from '../tables/devices.ts';
import { pendingUpdatesOf } from '../testing/pending-updates.ts';
import { newDevice, startWalletTestbed, type WalletTestbed } from '../testing/testbed.ts';

let testbed: WalletTestbed;

beforeAll(async () => {
  testbed = await startWalletTestbed();
});
afterEach(() => testbed.sandbox.controls.clearFaults());
afterAll(async () => {
  await testbed[Symbol.asyncDispose]();
});

const { pendingUpdates, settled, attempted } = pendingUpdatesOf(() => testbed);

/** Creates a guest whose stamp card is on so many phones, each of which has had its first push. */
async function guestWithDevices(count: number) {
  const guest = await testbed.guest();
  const { serial } = (await guest.passes())[0];
  const all = Array.from({ length: count }, newDevice);
  for (const phone of all) await insertDevice(testbed.running.service.database, { ...phone, serial }, testbed.clock.now());
  await testbed.advance(2);
  await arrived(all, 1);
  await settled(serial);
  return { guest, serial: serial as string, all };
}

const pushes = (all: readonly { pushToken: string }[]) => all.map(({ pushToken }) => testbed.sandbox.inbox.to(pushToken).length);
/** Resolves when each device has had so many pushes. */
const arrived = (all: readonly { pushToken: string }[], count: number) =>
  testbed.sandbox.inbox.until(() => pushes(all).every((sum) => sum >= count));

describe('pushPassUpdates to Apple', () => {
  test('every phone is pushed after a change, and a gone phone is deleted', async () => {
    const { guest, serial, all } = await guestWithDevices(3);
    const [gone, ...rest] = all as [(typeof all)[0], ...typeof all];
    testbed.sandbox.controls.dropDevice(gone.pushToken);
    await testbed.publish(guest.stamp(1, 1));
    await testbed.advance(2);
    await arrived(rest, 2);
    await settled(serial);
    expect(pushes([gone])).toEqual([1]);
    const remaining = await testbed.running.service.database.anyFirst(
      sql.type(z.object({ push_token: z.string() }))`select push_token from pass_device where serial = ${serial}`,
    );
    expect(remaining.toSorted()).toEqual(rest.map(({ pushToken }) => pushToken).toSorted());
  });

  test('a phone that cannot be reached is pushed later, and events are processed meanwhile', async () => {
    const { guest, serial, all } = await guestWithDevices(1);
    testbed.sandbox.controls.fail({ at: 'apns', how: 'unavailable', times: 2, to: all[0]?.pushToken });
    await testbed.publish(guest.stamp(1, 1));
    await testbed.advance(2);
    await attempted(serial, 1);
    await testbed.advance(4.9);
    expect(await pendingUpdates(serial)).toMatchObject([{ wallet: 'apple', attempts: 1 }]);
    await testbed.advance(0.1);
    await attempted(serial, 2);
    await testbed.publish(guest.stamp(2, 2));
    await testbed.advance(10);
    await arrived(all, 2);
    await settled(serial);
  });

  test('after the last attempt has failed, a phone is pushed at the next change', async () => {
    const { guest, serial, all } = await guestWithDevices(1);
    testbed.sandbox.controls.fail({ at: 'apns', how: 'unavailable', times: 1, to: all[0]?.pushToken });
    await testbed.publish(guest.stamp(1, 1));
    await testbed.running.service.database.query(sql.type(z.object({}))`
      insert into pass_update (serial, wallet, due_at, attempts) values (${serial}, 'apple', ${testbed.clock.now().toISOString()}, ${maxAttempts - 1})`);
    await until(async () => (await pendingUpdates(serial)).some(({ failed }) => failed), { describe: 'the update has failed' });
    await testbed.advance(retryDelayMs(maxAttempts) / 1000);
    await testbed.publish(guest.stamp(2, 2));
    await testbed.advance(2);
    await arrived(all, 2);
    await settled(serial);
  });
});
