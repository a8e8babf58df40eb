// covers: listWalletPasses
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { voucherRedeemed } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Files, isSigned, isSignedByForge, openPass, parsePass } from './testing/open-pass.ts';
import { baseUrl, details, type Guest, newDevice, startWalletTestbed, type WalletTestbed } from './testing/testbed.ts';

let testbed: WalletTestbed;

beforeAll(async () => {
  testbed = await startWalletTestbed();
});
afterAll(async () => {
  await testbed[Symbol.asyncDispose]();
});

describe('listWalletPasses', () => {
  test('the list has the caller’s own passes; an unknown store is refused with STORE_NOT_FOUND', async () => {
    const [one, other] = [await testbed.guest(), await testbed.guest()];
    const serials = [(await one.passes())[0].serial, (await one.passes())[0].serial, (await other.passes())[0].serial];
    expect(new Set(serials).size).toBe(2);
    const token = await testbed.running.issuer.token({ typ: 'customer' });
    const unknown = `/api/v1/notifications/wallet/passes?store_id=${randomUUID()}`;
    const refused = await testbed.call('GET', unknown, { Authorization: `Bearer ${token}` });
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([404, 'STORE_NOT_FOUND']);
  });

  test('concurrent requests create each pass once', async () => {
    const guest = await testbed.guest();
    await testbed.publish(guest.voucher(1, randomUUID()), guest.voucher(2, randomUUID()));
    const lists = await Promise.all(Array.from({ length: 10 }, () => guest.passes()));
    expect(new Set(lists.flat().map(({ serial }) => serial)).size).toBe(3);
    const count = await testbed.running.service.database.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*) from pass where customer_id = ${guest.customerId}`);
    expect(count).toBe(3);
  });

  test('a store_id that is not a UUID is refused with VALIDATION_FAILED, and a merchant’s token with WRONG_TOKEN_TYPE', async () => {
    const refusal = async (typ: 'customer' | 'merchant', storeId: string) => {
      const token = await testbed.running.issuer.token({ typ });
      const address = `/api/v1/notifications/wallet/passes?store_id=${storeId}`;
      const response = await testbed.call('GET', address, { Authorization: `Bearer ${token}` });
      return ((await response.json()) as { error: { code: string } }).error.code;
    };
    expect(await refusal('customer', 'no-uuid')).toBe('VALIDATION_FAILED');
    expect(await refusal('merchant', randomUUID())).toBe('WRONG_TOKEN_TYPE');
  });
});

let guest: Guest;

beforeAll(async () => {
  testbed = await startWalletTestbed();
  guest = await testbed.guest();
});
afterAll(async () => {
  await testbed[Symbol.asyncDispose]();
});

async function download(kind: 'stamp_card' | 'voucher'): Promise<Files> {
  const pass = (await guest.passes()).find((one) => one.kind === kind);
  const response = await testbed.call('GET', pass.apple_url);
  expect(response.headers.get('content-type')).toBe('application/vnd.apple.pkpass');
  return openPass(Buffer.from(await response.arrayBuffer()), testbed.folder);
}

const authority = () => testbed.sandbox.environment.APNS_CA_FILE ?? '';

test('the bundle’s manifest has the SHA-1 of each file, and the bundle has the images that PassKit requires', async () => {
  const { signature, 'manifest.json': manifest, ...rest } = await download('stamp_card');
  expect(signature).toBeDefined();
  const digests = Object.entries(rest).map(([name, content]) => [name, createHash('sha1').update(content).digest('hex')]);
  expect(JSON.parse(String(manifest))).toEqual(Object.fromEntries(digests));
  expect(Object.keys(rest)).toEqual(expect.arrayContaining(['pass.json', 'icon.png', 'icon@2x.png', 'icon@3x.png']));
});

test('the bundle is signed by the pass type’s certificate, and a changed manifest breaks the signature', async () => {
  const files = await download('stamp_card');
  const changed = { ...files, 'manifest.json': Buffer.from(String(files['manifest.json']).replace(/[0-9]/, 'f')) };
  expect(isSigned(files, authority(), testbed.folder)).toBe(true);
  expect(isSigned(changed, authority(), testbed.folder)).toBe(false);
  // node-forge replaces openssl where that is not installed, so it must come to the same result.
  const byForge = ({ signature, 'manifest.json': manifest }: Files) =>
    isSignedByForge(signature as Buffer, manifest as Buffer, readFileSync(authority(), 'utf8'));
  expect(byForge(files)).toBe(true);
  expect(byForge(changed)).toBe(false);
});

test('the pass has the card’s count, the store’s colours and the address of the web service', async () => {
  await testbed.publish(guest.stamp(1, 3));
  expect(parsePass(await download('stamp_card'))).toMatchObject({
    formatVersion: 1,
    passTypeIdentifier: 'pass.com.example.corner',
    teamIdentifier: 'CORNERTEAM',
    webServiceURL: 'https://shop.example/api/v1/notifications/wallet/apple',
    organizationName: 'Bea’s Bakery',
    backgroundColor: 'rgb(244, 227, 193)',
    foregroundColor: 'rgb(0, 0, 0)',
    voided: false,
    storeCard: {
      primaryFields: [{ key: 'standing', value: '3 of 4' }],
      secondaryFields: [{ key: 'reward', value: 'A free flat white' }],
    },
    barcodes: [{ format: 'PKBarcodeFormatQR', message: guest.customerId }],
  });
});

test('a voucher’s pass is void after the voucher is redeemed', async () => {
  const voucherId = randomUUID();
  await testbed.publish(guest.stamp(2, 4), guest.voucher(3, voucherId));
  const pass = (await guest.passes()).find(({ kind }) => kind === 'voucher');
  const get = async () => openPass(Buffer.from(await (await testbed.call('GET', pass.apple_url)).arrayBuffer()), testbed.folder);
  expect(parsePass(await get())).toMatchObject({ voided: false, coupon: { secondaryFields: [{ value: 'A free flat white' }] } });
  expect(parsePass(await download('stamp_card')).storeCard).toMatchObject({
    primaryFields: [{ value: '0 of 4' }],
    auxiliaryFields: [{ key: 'ready', value: '1' }],
  });
  await testbed.publish(guest.voucher(4, voucherId, voucherRedeemed));
  const used = parsePass(await get());
  expect(used).toMatchObject({ voided: true });
  expect(JSON.stringify(used)).not.toContain(details.code);
  expect((await guest.passes()).map(({ kind }) => kind)).toEqual(['stamp_card']);
});

test('a voucher’s pass shows its code and last day, and its code image has what redeeming it takes', async () => {
  const shopper = await testbed.guest();
  const voucherId = randomUUID();
  await testbed.publish(shopper.voucher(1, voucherId));
  const pass = (await shopper.passes()).find(({ kind }) => kind === 'voucher');
  const get = async () => openPass(Buffer.from(await (await testbed.call('GET', pass.apple_url)).arrayBuffer()), testbed.folder);
  const shown = parsePass(await get());
  expect(shown.coupon.auxiliaryFields).toMatchObject([
    { label: 'Code', value: details.code },
    { label: 'Valid until', value: '29 August 2026' },
  ]);
  expect(new Date(shown.expirationDate)).toEqual(new Date(details.expires_at));
  expect(shown.barcodes).toMatchObject([{ altText: details.code }]);
  expect(JSON.parse(shown.barcodes[0].message)).toEqual({ voucher_id: voucherId, customer_id: shopper.customerId });
  expect(testbed.loyalty.calls.at(-1)).toEqual({ voucher_id: voucherId, customer_id: shopper.customerId, store_id: shopper.storeId });
});

test('while loyalty is away, a voucher’s pass is not sent without its code, and a stamp card is', async () => {
  const shopper = await testbed.guest();
  await testbed.publish(shopper.voucher(1, randomUUID()));
  const passes = await shopper.passes();
  testbed.loyalty.away = true;
  const statuses = await Promise.all(passes.map(async ({ kind, apple_url }) => [kind, (await testbed.call('GET', apple_url)).status]));
  testbed.loyalty.away = false;
  expect(Object.fromEntries(statuses)).toEqual({ stamp_card: 200, voucher: 503 });
  const again = await Promise.all(passes.map(async ({ apple_url }) => (await testbed.call('GET', apple_url)).status));
  expect(again).toEqual([200, 200]);
});

const type = 'pass.com.example.corner';

async function addPass(guest: Guest, kind = 'stamp_card') {
  const { apple_url, serial } = (await guest.passes()).find((pass) => pass.kind === kind);
  const bundle = await testbed.call('GET', apple_url);
  expect(bundle.status).toBe(200);
  const { authenticationToken, webServiceURL } = parsePass(openPass(Buffer.from(await bundle.arrayBuffer()), testbed.folder));
  const phone = newDevice();
  const root = `${webServiceURL}/v1`;
  const proof = { Authorization: `ApplePass ${authenticationToken}` };
  const registration = `${root}/devices/${phone.deviceId}/registrations/${type}`;
  return {
    ...phone,
    serial: serial as string,
    proof,
    pass: `${root}/passes/${type}/${serial}`,
    registration: `${registration}/${serial}`,
    register: (headers: Record<string, string> = proof, { deviceId, pushToken } = phone) =>
      testbed.call('POST', `${root}/devices/${deviceId}/registrations/${type}/${serial}`, headers, { pushToken }),
    unregister: (headers: Record<string, string> = proof) => testbed.call('DELETE', `${registration}/${serial}`, headers),
    changed: async (since?: string) => {
      const response = await testbed.call('GET', `${registration}${since === undefined ? '' : `?passesUpdatedSince=${since}`}`);
      return response.status === 200 ? ((await response.json()) as { serialNumbers: string[]; lastUpdated: string }) : response.status;
    },
    fetch: (headers: Record<string, string> = {}) => testbed.call('GET', `${root}/passes/${type}/${serial}`, { ...proof, ...headers }),
  };
}

const pushesTo = (token: string) => testbed.sandbox.inbox.to(token);
const pushed = (count: number, ...all: readonly { readonly pushToken: string }[]) =>
  testbed.sandbox.inbox.until(() => all.every(({ pushToken }) => pushesTo(pushToken).length >= count));

test('a phone registers for a pass, is pushed after a change, lists what changed, fetches it, and then gets 304', async () => {
  const guest = await testbed.guest();
  const phone = await addPass(guest);
  expect((await phone.register()).status).toBe(201);
  expect((await phone.register()).status).toBe(200);
  // The pass may have changed since it was downloaded, so a new phone is pushed once.
  await testbed.advance(2);
  await pushed(1, phone);
  const first = await phone.changed();
  expect(first).toMatchObject({ serialNumbers: [phone.serial] });
  const tag = (first as { lastUpdated: string }).lastUpdated;
  expect(await phone.changed(tag)).toBe(204);

  await testbed.publish(guest.stamp(1, 1));
  await testbed.advance(2);
  await pushed(2, phone);
  const [, push] = pushesTo(phone.pushToken);
  expect(push).toMatchObject({ channel: 'wallet', title: type, text: '', data: {}, headers: { 'apns-topic': type } });
  const second = await phone.changed(tag);
  expect(second).toMatchObject({ serialNumbers: [phone.serial] });

  const fetched = await phone.fetch();
  expect(fetched.status).toBe(200);
  expect(fetched.headers.get('content-type')).toBe('application/vnd.apple.pkpass');
  expect(fetched.headers.get('cache-control')).toBe('private, no-cache');
  expect(parsePass(openPass(Buffer.from(await fetched.arrayBuffer()), testbed.folder)).storeCard.primaryFields[0].value).toBe('1 of 4');
  const lastModified = fetched.headers.get('last-modified') ?? '';
  const again = await phone.fetch({ 'If-Modified-Since': lastModified });
  expect([again.status, await again.text(), again.headers.get('last-modified')]).toEqual([304, '', lastModified]);

  await testbed.publish(guest.stamp(2, 2));
  expect((await phone.fetch({ 'If-Modified-Since': lastModified })).status).toBe(200);
  expect((await phone.unregister()).status).toBe(200);
  expect(await phone.changed()).toBe(204);
  await testbed.advance(2);
  await testbed.advance(2);
  expect(pushesTo(phone.pushToken)).toHaveLength(2);
});

test('a phone gets every version although several follow each other within one second', async () => {
  const guest = await testbed.guest();
  const phone = await addPass(guest);
  const dates: string[] = [];
  for (const count of [1, 2, 3]) {
    await testbed.publish(guest.stamp(count, count));
    const fetched = await phone.fetch(dates.length > 0 ? { 'If-Modified-Since': dates.at(-1) ?? '' } : {});
    expect(parsePass(openPass(Buffer.from(await fetched.arrayBuffer()), testbed.folder)).storeCard.primaryFields[0].value).toBe(
      `${count} of 4`,
    );
    dates.push(fetched.headers.get('last-modified') ?? '');
    expect(Date.parse(dates.at(-1) ?? '')).toBeLessThanOrEqual(testbed.clock.now().getTime());
  }
  testbed.clock.advance({ seconds: 5 });
  const current = await phone.fetch({ 'If-Modified-Since': dates.at(-1) ?? '' });
  expect(current.status).toBe(200);
  expect((await phone.fetch({ 'If-Modified-Since': current.headers.get('last-modified') ?? '' })).status).toBe(304);
});

describe('a phone without proof of the pass', () => {
  const proofs = {
    'no proof': {},
    'a made-up token': { Authorization: `ApplePass ${'x'.repeat(43)}` },
    'a shorter token': { Authorization: 'ApplePass x' },
    'a bearer token': { Authorization: 'Bearer x' },
  };

  test.each(Object.entries(proofs))('gets 401 for every request with %s', async (_, headers) => {
    const phone = await addPass(await testbed.guest());
    const requests = [phone.register(headers), phone.unregister(headers), testbed.call('GET', phone.pass, headers)];
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(await phone.changed()).toBe(204);
  });

  test('gets the same response for an unknown pass as for an existing one', async () => {
    const phone = await addPass(await testbed.guest());
    const responses = [phone.pass, ...[randomUUID(), 'no-serial'].map((serial) => phone.pass.replace(phone.serial, serial))].map(
      async (address) => {
        const response = await testbed.call('GET', address, proofs['a made-up token']);
        return [response.status, await response.text(), [...response.headers.keys()].filter((name) => !name.startsWith('ratelimit'))];
      },
    );
    const [known, ...unknown] = await Promise.all(responses);
    expect(known?.[0]).toBe(401);
    for (const response of unknown) expect(response).toEqual(known);
  });

  test('cannot use the token of another pass, or another pass type', async () => {
    const [one, other] = [await addPass(await testbed.guest()), await addPass(await testbed.guest())];
    expect((await testbed.call('GET', one.pass, other.proof)).status).toBe(401);
    expect((await testbed.call('GET', one.pass.replace(type, 'pass.com.example.other'), one.proof)).status).toBe(401);
  });
});

test('errors that a phone reports are counted and not logged', async () => {
  const response = await testbed.call('POST', `${baseUrl}/api/v1/notifications/wallet/apple/v1/log`, {}, { logs: ['Ada’s pass', 'b'] });
  expect(response.status).toBe(200);
  expect(testbed.running.lines).toContainEqual(expect.objectContaining({ lines: 2, msg: 'a wallet reported errors' }));
  expect(JSON.stringify(testbed.running.lines)).not.toContain('Ada');
});

test('no log line contains a token or a device id', async () => {
  const guest = await testbed.guest();
  const phone = await addPass(guest);
  testbed.sandbox.controls.fail({ at: 'apns', how: 'unavailable', to: phone.pushToken });
  await phone.register();
  await testbed.advance(2);
  // The job that the registration woke may still hold the pass while this one looks: then it waits another hour.
  await until(
    async () => {
      await testbed.advance(3_600);
      return pushesTo(phone.pushToken).length > 0;
    },
    { describe: 'the push after the failed one' },
  );
  const logged = JSON.stringify(testbed.running.lines);
  expect(logged).toContain('a pass could not be updated in a wallet');
  for (const secret of [phone.pushToken, phone.deviceId, phone.proof.Authorization.split(' ')[1] ?? '?'])
    expect(logged).not.toContain(secret);
});

describe('a download address', () => {
  test('expires, and works for its own pass only', async () => {
    const [one, other] = [await testbed.guest(), await testbed.guest()];
    const address: string = (await one.passes())[0].apple_url;
    const others = (await other.passes())[0];
    const status = async (of: string) => (await testbed.call('GET', of)).status;
    expect(await status(address.replace(/\/download\/[^?]+/, `/download/${others.serial}`))).toBe(404);
    expect(await status(address.replace(/expires=(\d)/, 'expires=9$1'))).toBe(404);
    expect(await status(address.replace(/signature=.+/, 'signature='))).toBe(404);
    expect(await status(address)).toBe(200);
    testbed.clock.advance({ minutes: 15 });
    expect(await status(address)).toBe(404);
  });
});

test('several changes within two seconds make one push, and a redeemed voucher’s pass is void', async () => {
  const guest = await testbed.guest();
  const voucherId = randomUUID();
  await testbed.publish(guest.stamp(1, 4), guest.voucher(2, voucherId));
  const [card, voucher] = [await addPass(guest), await addPass(guest, 'voucher')];
  for (const phone of [card, voucher]) await phone.register();
  await testbed.advance(2);
  await pushed(1, card, voucher);

  await testbed.publish(guest.stamp(3, 1), guest.stamp(4, 2), guest.voucher(5, voucherId, voucherRedeemed), guest.stamp(6, 3));
  await testbed.advance(1.9);
  expect([card, voucher].map(({ pushToken }) => pushesTo(pushToken).length)).toEqual([1, 1]);
  await testbed.advance(0.1);
  await pushed(2, card, voucher);
  await testbed.advance(60);
  expect([card, voucher].map(({ pushToken }) => pushesTo(pushToken).length)).toEqual([2, 2]);
  const shown = async (phone: typeof card) => parsePass(openPass(Buffer.from(await (await phone.fetch()).arrayBuffer()), testbed.folder));
  expect(await shown(voucher)).toMatchObject({ voided: true });
  expect((await shown(card)).storeCard.primaryFields).toMatchObject([{ value: '3 of 4' }]);
});
