import { randomUUID } from 'node:crypto';
import { type Envelope, stampUndone, voucherExpired, voucherRedeemed, voucherRestored, voucherVoided } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { passBySerial } from '../tables/passes.ts';
import { type Guest, type Phones, programmeSnapshot, startPhones, storeSnapshot } from '../testing/testbed.ts';

let phones: Phones;

beforeAll(async () => {
  phones = await startPhones();
});
afterAll(async () => {
  await phones[Symbol.asyncDispose]();
});

const stateOf = (serial: string) => passBySerial(phones.running.service.database, serial);

/** Every order of a few. */
const orders = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  all.length < 2 ? [all] : all.flatMap((one, index) => orders(all.toSpliced(index, 1)).map((rest) => [one, ...rest]));

/** Tells news in an order, all of it twice. */
async function tellTwice(news: readonly Envelope[]): Promise<void> {
  await phones.publish(...news);
  for (const envelope of news) await phones.running.publish({ ...envelope, id: randomUUID() });
  const last = { ...(news.at(-1) as Envelope), id: randomUUID() };
  await phones.publish(last);
}

async function guestWithPass(): Promise<{ guest: Guest; serial: string }> {
  const guest = await phones.guest();
  return { guest, serial: (await guest.passes())[0].serial };
}

describe('a card ends the same in whatever order its news come, and however often', () => {
  test.each(orders([0, 1, 2, 3]))('%d %d %d %d', async (...order) => {
    const { guest, serial } = await guestWithPass();
    const voucherId = randomUUID();
    const news = [guest.stamp(2, 4), guest.voucher(3, voucherId), guest.stamp(4, 1), guest.voucher(5, voucherId, voucherRedeemed)];
    await tellTwice(order.map((index) => news[index] as Envelope));
    expect(await stateOf(serial)).toMatchObject({ stamps: 1, goal: 4, activeVouchers: 0 });
  });

  test.each(orders([0, 1, 2]))('a voucher minted last takes its stamps off: %d %d %d', async (...order) => {
    const { guest, serial } = await guestWithPass();
    const news = [guest.stamp(2, 2), guest.stamp(3, 5), guest.voucher(4, randomUUID())];
    await tellTwice(order.map((index) => news[index] as Envelope));
    expect(await stateOf(serial)).toMatchObject({ stamps: 1, activeVouchers: 1 });
  });

  test.each(orders([0, 1, 2]))('a voucher used at once took its stamps off all the same: %d %d %d', async (...order) => {
    const { guest, serial } = await guestWithPass();
    const voucherId = randomUUID();
    const news = [guest.stamp(2, 5), guest.voucher(3, voucherId), guest.voucher(4, voucherId, voucherRedeemed)];
    await tellTwice(order.map((index) => news[index] as Envelope));
    expect(await stateOf(serial)).toMatchObject({ stamps: 1, activeVouchers: 0 });
  });
});

test('a stamp that is undone comes off, and a voucher is what was last told of it', async () => {
  const { guest, serial } = await guestWithPass();
  const voucherId = randomUUID();
  await phones.publish(guest.stamp(1, 3), guest.stamp(2, 2, stampUndone), guest.voucher(3, voucherId));
  const voucher = (await guest.passes())[1].serial;
  const seen: unknown[] = [(await stateOf(voucher))?.state];
  for (const [index, event] of [voucherRedeemed, voucherRestored, voucherExpired, voucherVoided].entries()) {
    await phones.publish(guest.voucher(4 + index, voucherId, event));
    seen.push((await stateOf(voucher))?.state);
  }
  expect(seen).toEqual(['active', 'redeemed', 'active', 'expired', 'voided']);
  expect(await stateOf(serial)).toMatchObject({ activeVouchers: 0 });
});

test('a store’s newest name, colours and goal are worn, and only what shows makes a new edition', async () => {
  const { guest, serial } = await guestWithPass();
  const edition = async () => (await stateOf(serial))?.modifiedAt;
  const first = await edition();
  await phones.publish(storeSnapshot(guest.storeId, 2), programmeSnapshot(guest.storeId, 2, 4));
  expect(await edition()).toBe(first);
  await phones.publish(storeSnapshot(guest.storeId, 4, 'Bea & Co', '#112233'), storeSnapshot(guest.storeId, 3, 'Late'));
  await phones.publish(programmeSnapshot(guest.storeId, 4, 6), programmeSnapshot(guest.storeId, 3, 9));
  expect(await stateOf(serial)).toMatchObject({ storeName: 'Bea & Co', background: '#112233', goal: 6 });
  expect(Date.parse((await edition()) ?? '')).toBeGreaterThan(Date.parse(first ?? ''));
});

test('every voucher of a card has its pass, however many there are: twenty are made by one request', async () => {
  const guest = await phones.guest();
  const vouchers = Array.from({ length: 25 }, () => randomUUID());
  await phones.publish(...vouchers.map((voucherId, at) => guest.voucher(at + 1, voucherId)));
  expect(await guest.passes()).toHaveLength(20);
  const passes = await guest.passes();
  expect(passes.flatMap(({ voucher_id }) => voucher_id ?? []).toSorted()).toEqual(vouchers.toSorted());
});
