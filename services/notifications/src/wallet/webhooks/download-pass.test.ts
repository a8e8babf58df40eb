import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { voucherRedeemed } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { details } from '../testing/loyalty.ts';
import { type Files, isSigned, isSignedByForge, openPass, parsePass } from '../testing/open-pass.ts';
import { type Guest, startWalletTestbed, type WalletTestbed } from '../testing/testbed.ts';

let testbed: WalletTestbed;
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
