import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { voucherRedeemed } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Files, isSigned, isSignedByForge, openPass, passOf } from '../testing/open-pass.ts';
import { type Guest, type Phones, startPhones } from '../testing/testbed.ts';

let phones: Phones;
let guest: Guest;

beforeAll(async () => {
  phones = await startPhones();
  guest = await phones.guest();
});
afterAll(async () => {
  await phones[Symbol.asyncDispose]();
});

async function download(kind: 'stamp_card' | 'voucher'): Promise<Files> {
  const pass = (await guest.passes()).find((one) => one.kind === kind);
  const answer = await phones.call('GET', pass.apple_url);
  expect(answer.headers.get('content-type')).toBe('application/vnd.apple.pkpass');
  return openPass(Buffer.from(await answer.arrayBuffer()), phones.folder);
}

const authority = () => phones.messages.environment.APNS_CA_FILE ?? '';

test('is a bundle whose manifest names each file by its SHA-1, and which holds the pictures PassKit asks for', async () => {
  const { signature, 'manifest.json': manifest, ...rest } = await download('stamp_card');
  expect(signature).toBeDefined();
  const digests = Object.entries(rest).map(([name, content]) => [name, createHash('sha1').update(content).digest('hex')]);
  expect(JSON.parse(String(manifest))).toEqual(Object.fromEntries(digests));
  expect(Object.keys(rest)).toEqual(expect.arrayContaining(['pass.json', 'icon.png', 'icon@2x.png', 'icon@3x.png']));
});

test('is signed by the pass type’s certificate, down to the authority, and no longer when a byte of the manifest is another', async () => {
  const files = await download('stamp_card');
  const changed = { ...files, 'manifest.json': Buffer.from(String(files['manifest.json']).replace(/[0-9]/, 'f')) };
  expect(isSigned(files, authority(), phones.folder)).toBe(true);
  expect(isSigned(changed, authority(), phones.folder)).toBe(false);
  // Where there is no openssl this stands in for it: it has to see the same.
  const byForge = ({ signature, 'manifest.json': manifest }: Files) =>
    isSignedByForge(signature as Buffer, manifest as Buffer, readFileSync(authority(), 'utf8'));
  expect(byForge(files)).toBe(true);
  expect(byForge(changed)).toBe(false);
});

test('says how the card stands, in the store’s colours, and where its news come from', async () => {
  await phones.publish(guest.stamp(1, 3));
  expect(passOf(await download('stamp_card'))).toMatchObject({
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

test('of a voucher is void once the voucher is used', async () => {
  const voucherId = randomUUID();
  await phones.publish(guest.stamp(2, 4), guest.voucher(3, voucherId));
  const pass = (await guest.passes()).find(({ kind }) => kind === 'voucher');
  const get = async () => openPass(Buffer.from(await (await phones.call('GET', pass.apple_url)).arrayBuffer()), phones.folder);
  expect(passOf(await get())).toMatchObject({ voided: false, coupon: { secondaryFields: [{ value: 'A free flat white' }] } });
  expect(passOf(await download('stamp_card')).storeCard).toMatchObject({
    primaryFields: [{ value: '0 of 4' }],
    auxiliaryFields: [{ key: 'ready', value: '1' }],
  });
  await phones.publish(guest.voucher(4, voucherId, voucherRedeemed));
  expect(passOf(await get())).toMatchObject({ voided: true, barcodes: [{ message: voucherId }] });
  expect((await guest.passes()).map(({ kind }) => kind)).toEqual(['stamp_card']);
});
