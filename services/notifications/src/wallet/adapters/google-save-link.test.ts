import { generateKeyPairSync } from 'node:crypto';
import { fixedClock, startOutsider } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { CompletePass } from '../rules.ts';
import { openGoogleWallet } from './google-wallet.ts';

const { now } = fixedClock('2026-06-01T12:00:00Z');
const { privateKey: private_key } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const id = (digit: string) => `0190a000-0000-7000-8000-00000000000${digit}`;

const walletAt = (api: string) =>
  openGoogleWallet(
    {
      account: {
        client_email: 'wallet-passes-of-the-platform@corner-production-1234.iam.gserviceaccount.com',
        private_key,
        private_key_id: 'k',
        project_id: 'p',
        token_uri: `${api}/token`,
      },
      issuerId: '3388000000012345678',
      apiBase: api,
      baseUrl: 'https://shop.corner-platform.example',
    },
    now,
  );

const card: CompletePass = {
  serial: id('1'),
  kind: 'stamp_card',
  customerId: id('2'),
  storeId: id('3'),
  voucherId: null,
  authToken: 'x',
  modifiedAt: '2026-06-01T12:00:00Z',
  storeName: 'Bea’s Bakery',
  logoUrl: null,
  background: '#112233',
  stamps: 3,
  goal: 10,
  rewardTitle: 'A free coffee',
  activeVouchers: 2,
  state: 'active',
  details: null,
  language: 'en',
};
const voucher = { kind: 'voucher', voucherId: id('4') } as const;
const details = { code: 'ABCDE12345', expires_at: '2026-08-29T22:59:59.000Z', last_day: '2026-08-29' };
const kinds: Readonly<Record<string, Partial<CompletePass>>> = {
  'a stamp card': {},
  'a voucher': { ...voucher, details },
  'a used voucher': { ...voucher, state: 'redeemed' },
};
const long = (text: string, length: number) => text.repeat(length).slice(0, length);
const names: Readonly<Record<string, string>> = { Latin: 'Bakery ', Cyrillic: 'Пекарня ', Chinese: '面包店', emoji: '🥐' };
const claimsIn = (link: string) => decodeJwt(link.replace('https://pay.google.com/gp/v/save/', '')) as { payload: Payload };
interface Payload {
  readonly loyaltyClasses?: readonly { readonly programName: string }[];
  readonly loyaltyObjects: readonly { readonly id: string; readonly classId: string; readonly state: string }[];
}

const cases = Object.keys(kinds).flatMap((kind) => Object.keys(names).map((script) => [kind, script] as const));

test.each(cases)('the link of %s with the longest names, in %s, is no longer than 1,800 characters', async (kind, script) => {
  const texts = { storeName: long(names[script] ?? '', 120), rewardTitle: long(names[script] ?? '', 120) };
  const logoUrl = `https://pictures.example/${'a'.repeat(400)}`;
  const link = await walletAt('http://127.0.0.1:9').saveLink({ ...card, ...texts, logoUrl, ...kinds[kind] }, now());
  expect(link.length).toBeLessThanOrEqual(1_800);
  const { loyaltyClasses, loyaltyObjects } = claimsIn(link).payload;
  expect(loyaltyClasses?.[0]?.programName).toMatch(/^\S/);
  expect(loyaltyObjects[0]).toMatchObject({ id: expect.stringContaining(id('1')), classId: expect.stringContaining(id('3')) });
  expect(loyaltyObjects[0]?.state).toBe(kind === 'a used voucher' ? 'INACTIVE' : 'ACTIVE');
});

test('the link of usual texts has all that the pass shows, and no class once it was written, while it is as it was', async () => {
  await using google = await startOutsider();
  const granted = '{"access_token":"t","expires_in":3600}';
  google.respond = () => Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${granted.length}\r\nConnection: close\r\n\r\n${granted}`);
  const wallet = walletAt(google.url);
  const read = async (pass: CompletePass) => claimsIn(await wallet.saveLink(pass, now())).payload;
  const before = await read(card);
  expect(before).toMatchObject({
    loyaltyClasses: [{ programName: 'Bea’s Bakery', hexBackgroundColor: '#112233' }],
    loyaltyObjects: [{ barcode: { value: id('2') }, textModulesData: [{ body: 'A free coffee' }, { body: '2' }] }],
  });
  expect((await wallet.update(card, [])).fault).toBeNull();
  expect(await read(card)).toEqual({ loyaltyObjects: before.loyaltyObjects });
  expect(await read({ ...card, storeName: 'Bea’s' })).toMatchObject({ loyaltyClasses: [{ programName: 'Bea’s' }] });
});
