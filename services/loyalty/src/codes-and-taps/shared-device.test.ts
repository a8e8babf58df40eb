// covers: redeemStampCode, generateStampCode

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { anonymous, customerToken, openShop, type Shop, withoutProof } from '../testing/shop.ts';
import { dropOldDeviceUses } from './entry-points.ts';

let running: Running;
let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  shop = await openShop(running, withoutProof);
});
afterAll(async () => await running[Symbol.asyncDispose]());

interface Devices {
  readonly mintedOn?: string;
  readonly redeemedOn?: string;
}

const tokenOf = (customer: string | null) => (customer === null ? Promise.resolve(anonymous) : customerToken(running, customer));

const mint = async (customer: string | null, device: string | undefined, at = shop): Promise<string> =>
  (await at.post('stamp-codes', { store_id: at.storeId, device_info: device }, await tokenOf(customer))).body.code;

const redeem = async (code: string, customer: string, device?: string): Promise<readonly [string, string]> => {
  const { body } = await shop.post('stamp-codes/redeem', { code, device_info: device }, await customerToken(running, customer));
  return [body.stamp_status, body.approval_reason];
};

/** Has a new customer collect a stamp: the code is minted for the customer, or by a guest. */
async function collect({ mintedOn, redeemedOn }: Devices, { guest = false, at = shop } = {}): Promise<readonly [string, string]> {
  const customer = randomUUID();
  return await redeem(await mint(guest ? null : customer, mintedOn, at), customer, redeemedOn);
}

const collectTimes = async (times: number, devices: Devices, how = {}) => {
  const collected = [];
  for (let n = 0; n < times; n += 1) collected.push(await collect(devices, how));
  return collected;
};

const auto = ['approved', 'auto'];
const flagged = ['pending', 'shared_device'];

describe('a stamp waits for approval when its device was used for five customers within a day', () => {
  test.each([
    ['minted the codes', { mintedOn: 'phone' }, {}],
    ['redeemed the codes', { redeemedOn: 'phone' }, {}],
    ['minted the codes as a guest', { mintedOn: 'phone' }, { guest: true }],
    ['minted and redeemed the codes', { mintedOn: 'phone', redeemedOn: 'phone' }, {}],
  ])('and %s', async (_what, devices, how) => {
    expect(await collectTimes(6, devices, how)).toEqual([auto, auto, auto, auto, flagged, flagged]);
    const waiting = (await shop.get(`pending-stamps?store_id=${shop.storeId}`)).body.stamps;
    expect(waiting).toMatchObject([{ approval_reason: 'shared_device' }, { approval_reason: 'shared_device' }]);
  });

  test('and it minted codes for four others, who did not redeem them', async () => {
    for (let n = 0; n < 4; n += 1) await mint(randomUUID(), 'phone');
    expect(await collect({ redeemedOn: 'phone' })).toEqual(flagged);
  });

  test('and the customers redeem at the same time: four count', async () => {
    const codes = await Promise.all(Array.from({ length: 8 }, () => mint(null, undefined)));
    const collected = await Promise.all(codes.map((code) => redeem(code, randomUUID(), 'phone')));
    expect(collected.filter(([status]) => status === 'approved')).toHaveLength(4);
  });
});

describe('a stamp counts', () => {
  test('when one customer uses a device often, and when devices are many or not named', async () => {
    const customer = randomUUID();
    for (let n = 0; n < 6; n += 1) {
      expect(await redeem(await mint(null, 'phone'), customer, 'phone')).toEqual(auto);
      expect(await collect({ mintedOn: `phone ${n}`, redeemedOn: `phone ${n}` })).toEqual(auto);
      expect(await collect({})).toEqual(auto);
    }
  });

  test('when the other customers used the device at another store, or more than a day ago', async () => {
    const elsewhere = await openShop(running, withoutProof);
    await collectTimes(4, { mintedOn: 'phone' }, { at: elsewhere });
    expect(await collect({ mintedOn: 'phone' })).toEqual(auto);
    await collectTimes(3, { mintedOn: 'phone' });
    running.clock.set('2026-05-02T11:00:00Z');
    expect(await collect({ mintedOn: 'phone' })).toEqual(auto);
  });
});

test('what is known of a device is a keyed hash, and is deleted after a day', async () => {
  await collect({ mintedOn: 'my own phone' });
  const Use = z.object({ device: z.string() });
  const uses = () =>
    running.service.database.any(sql.type(Use)`select encode(device, 'escape') as device from device_use where store_id = ${shop.storeId}`);
  expect(await uses()).toHaveLength(1);
  expect((await uses())[0]?.device).not.toContain('phone');
  await dropOldDeviceUses(running.service.context);
  expect(await uses()).toHaveLength(1);
  running.clock.set('2026-05-02T11:00:01Z');
  await dropOldDeviceUses(running.service.context);
  expect(await uses()).toEqual([]);
});
