import { createPublicKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { voucherExpired, voucherRedeemed } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, jwtVerify } from 'jose';
import { sql } from 'slonik';
import { z } from 'zod';
import { googleClientOf, walletScope } from '../../../../../packages/sandbox/src/messages/testing/google-client.ts';
import { mostAttempts, pauseMs } from '../rules/retry-delay.ts';
import { raiseNotices } from '../tables/pass-updates.ts';
import { type HeldDoor, startHeldDoor } from '../testing/pausable-proxy.ts';
import { noticesOf } from '../testing/pending-updates.ts';
import { type Guest, type Phones, startPhones } from '../testing/testbed.ts';
import { tellWallets } from './push-pass-updates.ts';

let phones: Phones;
let door: HeldDoor;

beforeAll(async () => {
  door = await startHeldDoor();
  phones = await startPhones(() => ({ WALLET_GOOGLE_API_BASE: door.url }));
  door.target = phones.messages.url;
});
afterEach(() => phones.messages.controls.clearFaults());
afterAll(async () => {
  await phones[Symbol.asyncDispose]();
  await door[Symbol.asyncDispose]();
});

const { notices, settled, failed } = noticesOf(() => phones);

describe('Google Wallet', () => {
  const serialOf = async (guest: Guest, kind = 'stamp_card') => (await guest.passes()).find((pass) => pass.kind === kind);
  const idOf = (serial: string) => `3388000000012345678.pass-${serial}`;
  /** As Google has it now. */
  const objectOf = (serial: string) => phones.messages.inbox.to(idOf(serial)).at(-1)?.data;

  test('is given a class and an object for a pass somebody asked for, and what becomes of it', async () => {
    const guest = await phones.guest();
    const voucherId = randomUUID();
    await phones.publish(guest.stamp(1, 4), guest.voucher(2, voucherId));
    const [card, voucher] = [await serialOf(guest), await serialOf(guest, 'voucher')];
    await phones.pass(0);
    await until(async () => objectOf(card.serial) && objectOf(voucher.serial), { describe: 'both objects' });
    const google = googleClientOf(phones.messages);
    const token = await google.accessToken({ iat: phones.clock.now().getTime() / 1000, scope: walletScope });
    expect((await google.wallet(token, 'GET', `loyaltyClass/3388000000012345678.store-${guest.storeId}`)).body).toMatchObject({
      programName: 'Bea’s Bakery',
      hexBackgroundColor: '#f4e3c1',
      programLogo: { sourceUri: { uri: 'https://shop.example/api/v1/notifications/wallet/logo.png' } },
    });
    expect(objectOf(card.serial)).toMatchObject({ state: 'ACTIVE', loyaltyPoints: { label: 'Stamps', balance: { string: '0 of 4' } } });
    await phones.publish(guest.stamp(3, 2), guest.voucher(4, voucherId, voucherRedeemed));
    await phones.pass(2);
    await until(async () => objectOf(voucher.serial)?.state === 'INACTIVE', { describe: 'void' });
    await until(async () => JSON.stringify(objectOf(card.serial)).includes('2 of 4'), { describe: 'the new count' });
    await phones.publish(guest.voucher(5, voucherId, voucherExpired));
    await phones.pass(2);
    await until(async () => objectOf(voucher.serial)?.state === 'EXPIRED', { describe: 'expired' });
  });

  test('is told again when it could not be, with the newest state', async () => {
    const guest = await phones.guest();
    const { serial } = await serialOf(guest);
    await phones.pass(0);
    await settled(serial);
    phones.messages.controls.fail({ at: 'google-wallet', how: 'unavailable', to: idOf(serial), times: 1_000 });
    await phones.publish(guest.stamp(1, 1));
    await phones.pass(2);
    await failed(serial, 1);
    await phones.publish(guest.stamp(2, 3));
    phones.messages.controls.clearFaults();
    phones.messages.controls.expireTokens();
    await phones.pass(5);
    await phones.pass(60);
    await until(async () => JSON.stringify(objectOf(serial)).includes('3 of 4'), { describe: 'the newest count' });
  });

  test('is told of what changes while it is being told', async () => {
    const guest = await phones.guest();
    const { serial } = await serialOf(guest);
    await phones.pass(0);
    await settled(serial);
    const { promise, resolve } = Promise.withResolvers<void>();
    door.holding = promise;
    await phones.publish(guest.stamp(1, 1));
    phones.clock.advance({ seconds: 2 });
    const told = tellWallets(phones.running.service.context);
    await failed(serial, 1);
    await phones.publish(guest.stamp(2, 2));
    phones.clock.advance({ seconds: 2 });
    const { database } = phones.running.service;
    await until(async () => (await raiseNotices(database, phones.clock.now(), ['google'])) === 0, { describe: 'the second change raised' });
    resolve();
    await told;
    await until(async () => JSON.stringify(objectOf(serial)).includes('2 of 4'), { describe: 'the second count' });
    await settled(serial);
  });

  test('is told of what changes while the last try is made, though that try fails', async () => {
    const guest = await phones.guest();
    const { serial } = await serialOf(guest);
    await phones.pass(0);
    await settled(serial);
    const { database, context } = phones.running.service;
    const { promise, resolve } = Promise.withResolvers<void>();
    door.holding = promise;
    phones.messages.controls.fail({ at: 'google-wallet', how: 'unavailable', to: idOf(serial) });
    await database.query(sql.type(z.object({}))`
      insert into pass_notice (serial, wallet, due_at, attempts) values (${serial}, 'google', ${phones.clock.now().toISOString()}, ${mostAttempts - 1})`);
    const told = tellWallets(context);
    await failed(serial, mostAttempts);
    await phones.publish(guest.stamp(1, 3));
    phones.clock.advance({ seconds: 2 });
    await until(async () => (await raiseNotices(database, phones.clock.now(), ['google'])) === 0, { describe: 'the change raised' });
    resolve();
    await told;
    await until(async () => (await notices(serial)).every(({ attempts, gave_up }) => attempts === 0 && !gave_up), { describe: 'put off' });
    await phones.pass(pauseMs(mostAttempts) / 1000);
    await until(async () => JSON.stringify(objectOf(serial)).includes('3 of 4'), { describe: 'the new count' });
  });

  test('is told the store’s class again when an object finds none', async () => {
    const guest = await phones.guest();
    const { serial } = await serialOf(guest);
    await phones.pass(0);
    await settled(serial);
    door.missing = '/loyaltyObject';
    await phones.publish(guest.stamp(1, 1));
    await phones.pass(2);
    await failed(serial, 1);
    const toldBefore = door.passed.length;
    door.missing = null;
    await phones.pass(5);
    await settled(serial);
    expect(door.passed.slice(toldBefore)).toEqual([
      `PATCH /walletobjects/v1/loyaltyClass/3388000000012345678.store-${guest.storeId}`,
      `PATCH /walletobjects/v1/loyaltyObject/${idOf(serial)}`,
    ]);
  });

  test('adds a pass by a link the service account has signed, short enough for an address', async () => {
    const guest = await phones.guest();
    const { google_url, serial } = await serialOf(guest);
    const token = google_url.replace('https://pay.google.com/gp/v/save/', '');
    const account = JSON.parse(readFileSync(phones.messages.environment.FCM_SERVICE_ACCOUNT_FILE ?? '', 'utf8'));
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
