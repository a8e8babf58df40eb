import { randomUUID } from 'node:crypto';
import { type Envelope, stampUndone, voucherExpired, voucherRedeemed, voucherRestored, voucherVoided } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { selectPass } from './tables/passes.ts';
import { type Guest, programmeSnapshot, startWalletTestbed, storeSnapshot, type WalletTestbed } from './testing/testbed.ts';

let testbed: WalletTestbed;

beforeAll(async () => {
  testbed = await startWalletTestbed();
});
afterAll(async () => {
  await testbed[Symbol.asyncDispose]();
});

const stateOf = (serial: string) => selectPass(testbed.running.service.database, serial);

const permutations = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  all.length < 2 ? [all] : all.flatMap((one, index) => permutations(all.toSpliced(index, 1)).map((rest) => [one, ...rest]));

async function publishTwice(events: readonly Envelope[]): Promise<void> {
  await testbed.publish(...events);
  for (const envelope of events) await testbed.running.publish({ ...envelope, id: randomUUID() });
  const last = { ...(events.at(-1) as Envelope), id: randomUUID() };
  await testbed.publish(last);
}

async function guestWithPass(): Promise<{ guest: Guest; serial: string }> {
  const guest = await testbed.guest();
  return { guest, serial: (await guest.passes())[0].serial };
}

describe('a card’s pass ends the same in whatever order and however often its events arrive', () => {
  test.each(permutations([0, 1, 2, 3]))(
    'stamps, a voucher, a new count and a redeemed voucher, in the order %d %d %d %d',
    async (...order) => {
      const { guest, serial } = await guestWithPass();
      const voucherId = randomUUID();
      const events = [guest.stamp(2, 4), guest.voucher(3, voucherId), guest.stamp(4, 1), guest.voucher(5, voucherId, voucherRedeemed)];
      await publishTwice(order.map((index) => events[index] as Envelope));
      expect(await stateOf(serial)).toMatchObject({ stamps: 1, goal: 4, activeVouchers: 0 });
    },
  );

  test.each(permutations([0, 1, 2]))(
    'a voucher minted after the last count takes its stamps off, in the order %d %d %d',
    async (...order) => {
      const { guest, serial } = await guestWithPass();
      const events = [guest.stamp(2, 2), guest.stamp(3, 5), guest.voucher(4, randomUUID())];
      await publishTwice(order.map((index) => events[index] as Envelope));
      expect(await stateOf(serial)).toMatchObject({ stamps: 1, activeVouchers: 1 });
    },
  );

  test.each(permutations([0, 1, 2]))(
    'a voucher that was minted and redeemed has taken its stamps off, in the order %d %d %d',
    async (...order) => {
      const { guest, serial } = await guestWithPass();
      const voucherId = randomUUID();
      const events = [guest.stamp(2, 5), guest.voucher(3, voucherId), guest.voucher(4, voucherId, voucherRedeemed)];
      await publishTwice(order.map((index) => events[index] as Envelope));
      expect(await stateOf(serial)).toMatchObject({ stamps: 1, activeVouchers: 0 });
    },
  );
});

test('a stamp that is undone comes off the card, and a voucher has the state of its last event', async () => {
  const { guest, serial } = await guestWithPass();
  const voucherId = randomUUID();
  await testbed.publish(guest.stamp(1, 3), guest.stamp(2, 2, stampUndone), guest.voucher(3, voucherId));
  const voucher = (await guest.passes())[1].serial;
  const states: unknown[] = [(await stateOf(voucher))?.state];
  for (const [index, event] of [voucherRedeemed, voucherRestored, voucherExpired, voucherVoided].entries()) {
    await testbed.publish(guest.voucher(4 + index, voucherId, event));
    states.push((await stateOf(voucher))?.state);
  }
  expect(states).toEqual(['active', 'redeemed', 'active', 'expired', 'voided']);
  expect(await stateOf(serial)).toMatchObject({ activeVouchers: 0 });
});

test('a pass shows the store’s newest name, colours and goal, and only a visible change makes a new version', async () => {
  const { guest, serial } = await guestWithPass();
  const version = async () => (await stateOf(serial))?.modifiedAt;
  const first = await version();
  await testbed.publish(storeSnapshot(guest.storeId, 2), programmeSnapshot(guest.storeId, 2, 4));
  expect(await version()).toBe(first);
  await testbed.publish(storeSnapshot(guest.storeId, 4, 'Bea & Co', '#112233'), programmeSnapshot(guest.storeId, 4, 6));
  await testbed.publish(storeSnapshot(guest.storeId, 3, 'Late'), programmeSnapshot(guest.storeId, 3, 9));
  expect(await stateOf(serial)).toMatchObject({ storeName: 'Bea & Co', background: '#112233', goal: 6 });
  expect(Date.parse((await version()) ?? '')).toBeGreaterThan(Date.parse(first ?? ''));
});

test('one request creates at most twenty passes, and the next one creates the rest', async () => {
  const guest = await testbed.guest();
  const vouchers = Array.from({ length: 25 }, () => randomUUID());
  await testbed.publish(...vouchers.map((voucherId, at) => guest.voucher(at + 1, voucherId)));
  expect(await guest.passes()).toHaveLength(20);
  const passes = await guest.passes();
  expect(passes.flatMap(({ voucher_id }) => voucher_id ?? []).toSorted()).toEqual(vouchers.toSorted());
});
