import { createPublicKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { voucherExpired, voucherRedeemed } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, jwtVerify } from 'jose';
import { sql } from 'slonik';
import { z } from 'zod';
import { openGoogleAccess } from '../adapters/google-access.ts';
import { readNotificationsConfig } from '../config.ts';
import { maxAttempts, pushPassUpdates, retryDelayMs } from './jobs.ts';
import { createPassUpdates } from './tables/pass-updates.ts';
import { insertDevice } from './tables/passes.ts';
import { type PausableProxy, startPausableProxy } from './testing/pausable-proxy.ts';
import { details, type Guest, newDevice, pendingUpdatesOf, startWalletTestbed, type WalletTestbed } from './testing/testbed.ts';

let testbed: WalletTestbed;
let proxy: PausableProxy;

beforeAll(async () => {
  proxy = await startPausableProxy();
  testbed = await startWalletTestbed(() => ({ WALLET_GOOGLE_API_BASE: proxy.url }));
  proxy.target = testbed.sandbox.url;
});
afterEach(() => testbed.sandbox.controls.clearFaults());
afterAll(async () => {
  await testbed[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

const { pendingUpdates, upToDate, attempted } = pendingUpdatesOf(() => testbed);

async function guestWithDevices(count: number) {
  const guest = await testbed.guest();
  const { serial } = (await guest.passes())[0];
  const all = Array.from({ length: count }, newDevice);
  for (const phone of all) await insertDevice(testbed.running.service.database, { ...phone, serial }, testbed.clock.now());
  await testbed.advance(2);
  await arrived(all, 1);
  await upToDate(serial);
  return { guest, serial: serial as string, all };
}

const pushes = (all: readonly { pushToken: string }[]) => all.map(({ pushToken }) => testbed.sandbox.inbox.to(pushToken).length);
const arrived = (all: readonly { pushToken: string }[], count: number) =>
  testbed.sandbox.inbox.until(() => pushes(all).every((sum) => sum >= count));

/**
 * Lets time pass, and resolves when an attempt has failed. The service's job may make the attempt, so that it ends later; until then the
 * clock stands, since the next attempt's delay begins at the end of this one.
 */
async function advanceToFailure(seconds: number): Promise<void> {
  const failures = () => testbed.running.lines.filter(({ msg }) => String(msg).startsWith('a pass could not be updated')).length;
  const before = failures();
  await testbed.advance(seconds);
  await until(() => failures() > before, { describe: 'the attempt to fail' });
}

describe('pushPassUpdates to Apple', () => {
  test('every phone is pushed after a change, and a gone phone is deleted', async () => {
    const { guest, serial, all } = await guestWithDevices(3);
    const [gone, ...rest] = all as [(typeof all)[0], ...typeof all];
    testbed.sandbox.controls.dropDevice(gone.pushToken);
    await testbed.publish(guest.stamp(1, 1));
    await testbed.advance(2);
    await arrived(rest, 2);
    await upToDate(serial);
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
    await advanceToFailure(2);
    await testbed.advance(4.9);
    expect(await pendingUpdates(serial)).toMatchObject([{ wallet: 'apple', attempts: 1 }]);
    await advanceToFailure(0.1);
    await testbed.publish(guest.stamp(2, 2));
    await testbed.advance(10);
    await arrived(all, 2);
    await upToDate(serial);
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
    await upToDate(serial);
  });
});

async function readGoogleClass(storeId: string): Promise<unknown> {
  const { WALLET_GOOGLE_SERVICE_ACCOUNT_FILE: account } = readNotificationsConfig(testbed.running.environment);
  if (!account) throw new Error('Google Wallet is not set up');
  const token = await openGoogleAccess(account, 'https://www.googleapis.com/auth/wallet_object.issuer', testbed.clock.now).token();
  const response = await fetch(`${testbed.sandbox.url}/walletobjects/v1/loyaltyClass/3388000000012345678.store-${storeId}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return await response.json();
}

describe('pushPassUpdates to Google', () => {
  const passOf = async (guest: Guest, kind = 'stamp_card') => (await guest.passes()).find((pass) => pass.kind === kind);
  const idOf = (serial: string) => `3388000000012345678.pass-${serial}`;
  const objectOf = (serial: string) => testbed.sandbox.inbox.to(idOf(serial)).at(-1)?.data;

  test('Google receives a class and an object for a new pass, and every later state', async () => {
    const guest = await testbed.guest();
    const voucherId = randomUUID();
    await testbed.publish(guest.stamp(1, 4), guest.voucher(2, voucherId));
    const [card, voucher] = [await passOf(guest), await passOf(guest, 'voucher')];
    await testbed.advance(0);
    await until(async () => objectOf(card.serial) && objectOf(voucher.serial), { describe: 'both objects' });
    expect(await readGoogleClass(guest.storeId)).toMatchObject({
      programName: 'Bea’s Bakery',
      hexBackgroundColor: '#f4e3c1',
      programLogo: { sourceUri: { uri: 'https://shop.example/api/v1/notifications/wallet/logo.png' } },
    });
    expect(objectOf(card.serial)).toMatchObject({ state: 'ACTIVE', loyaltyPoints: { label: 'Stamps', balance: { string: '0 of 4' } } });
    const ids = { voucher_id: voucherId, customer_id: guest.customerId };
    expect(objectOf(voucher.serial)).toMatchObject({
      textModulesData: [{ id: 'reward' }, { id: 'code', body: details.code }, { id: 'until', body: '29 August 2026' }],
      validTimeInterval: { end: { date: details.expires_at } },
      barcode: { value: JSON.stringify(ids), alternateText: details.code },
    });
    await testbed.publish(guest.stamp(3, 2), guest.voucher(4, voucherId, voucherRedeemed));
    await testbed.advance(2);
    await until(async () => objectOf(voucher.serial)?.state === 'INACTIVE', { describe: 'void' });
    await until(async () => JSON.stringify(objectOf(card.serial)).includes('2 of 4'), { describe: 'the new count' });
    await testbed.publish(guest.voucher(5, voucherId, voucherExpired));
    await testbed.advance(2);
    await until(async () => objectOf(voucher.serial)?.state === 'EXPIRED', { describe: 'expired' });
  });

  test('a failed update is tried again, with the newest state', async () => {
    const guest = await testbed.guest();
    const { serial } = await passOf(guest);
    await testbed.advance(0);
    await upToDate(serial);
    testbed.sandbox.controls.fail({ at: 'google-wallet', how: 'unavailable', to: idOf(serial), times: 1_000 });
    await testbed.publish(guest.stamp(1, 1));
    await advanceToFailure(2);
    await testbed.publish(guest.stamp(2, 3));
    testbed.sandbox.controls.clearFaults();
    testbed.sandbox.controls.expireTokens();
    await advanceToFailure(5);
    await testbed.advance(60);
    await until(async () => JSON.stringify(objectOf(serial)).includes('3 of 4'), { describe: 'the newest count' });
  });

  test('a change during an update is sent after it', async () => {
    const guest = await testbed.guest();
    const { serial } = await passOf(guest);
    await testbed.advance(0);
    await upToDate(serial);
    const { promise, resolve } = Promise.withResolvers<void>();
    proxy.paused = promise;
    await testbed.publish(guest.stamp(1, 1));
    testbed.clock.advance({ seconds: 2 });
    const pushing = pushPassUpdates(testbed.running.service.context);
    await attempted(serial, 1);
    await testbed.publish(guest.stamp(2, 2));
    testbed.clock.advance({ seconds: 2 });
    const { database } = testbed.running.service;
    await until(async () => (await createPassUpdates(database, testbed.clock.now(), ['google'])) === 0, {
      describe: 'the second change has an update',
    });
    resolve();
    await pushing;
    await until(async () => JSON.stringify(objectOf(serial)).includes('2 of 4'), { describe: 'the second count' });
    await upToDate(serial);
  });

  test('a change during the last attempt is sent although that attempt fails', async () => {
    const guest = await testbed.guest();
    const { serial } = await passOf(guest);
    await testbed.advance(0);
    await upToDate(serial);
    const { database, context } = testbed.running.service;
    const { promise, resolve } = Promise.withResolvers<void>();
    proxy.paused = promise;
    testbed.sandbox.controls.fail({ at: 'google-wallet', how: 'unavailable', to: idOf(serial) });
    await database.query(sql.type(z.object({}))`
      insert into pass_update (serial, wallet, due_at, attempts) values (${serial}, 'google', ${testbed.clock.now().toISOString()}, ${maxAttempts - 1})`);
    const pushing = pushPassUpdates(context);
    await attempted(serial, maxAttempts);
    await testbed.publish(guest.stamp(1, 3));
    testbed.clock.advance({ seconds: 2 });
    await until(async () => (await createPassUpdates(database, testbed.clock.now(), ['google'])) === 0, {
      describe: 'the change has an update',
    });
    resolve();
    await pushing;
    await until(async () => (await pendingUpdates(serial)).every(({ attempts, failed }) => attempts === 0 && !failed), {
      describe: 'the update is postponed',
    });
    await testbed.advance(retryDelayMs(maxAttempts) / 1000);
    await until(async () => JSON.stringify(objectOf(serial)).includes('3 of 4'), { describe: 'the new count' });
  });

  test('the store’s class is written again when Google has lost it', async () => {
    const guest = await testbed.guest();
    const { serial } = await passOf(guest);
    await testbed.advance(0);
    await upToDate(serial);
    proxy.missing = '/loyaltyObject';
    await testbed.publish(guest.stamp(1, 1));
    await advanceToFailure(2);
    const forwardedBefore = proxy.forwarded.length;
    proxy.missing = null;
    await testbed.advance(5);
    await upToDate(serial);
    expect(proxy.forwarded.slice(forwardedBefore)).toEqual([
      `PATCH /walletobjects/v1/loyaltyClass/3388000000012345678.store-${guest.storeId}`,
      `PATCH /walletobjects/v1/loyaltyObject/${idOf(serial)}`,
    ]);
  });

  test('the link that adds a pass is signed by the service account and short enough for an address', async () => {
    const guest = await testbed.guest();
    const { google_url, serial } = await passOf(guest);
    const token = google_url.replace('https://pay.google.com/gp/v/save/', '');
    const account = JSON.parse(readFileSync(testbed.sandbox.environment.FCM_SERVICE_ACCOUNT_FILE ?? '', 'utf8'));
    const { protectedHeader } = await jwtVerify(token, createPublicKey(account.private_key), {
      audience: 'google',
      issuer: account.client_email,
    });
    expect(protectedHeader.alg).toBe('RS256');
    expect(decodeJwt(token)).toMatchObject({
      typ: 'savetowallet',
      payload: { loyaltyObjects: [{ id: `3388000000012345678.pass-${serial}`, state: 'ACTIVE' }] },
    });
    expect(token.length).toBeLessThan(1_800);
  });
});

test('the delay doubles from 5 seconds to an hour', () => {
  expect([1, 2, 3, 10, 11, 32].map(retryDelayMs)).toEqual([5_000, 10_000, 20_000, 2_560_000, 3_600_000, 3_600_000]);
});
