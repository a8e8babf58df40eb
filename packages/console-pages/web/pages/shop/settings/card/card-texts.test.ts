import { expect, test } from '@jest/globals';
import { type Programme, programmeObject } from '../offer-objects.ts';
import { type Branding, coloursOf, earnText, readingFault, rewardOf, rewardText, tagUid } from './card-texts.ts';

const branding = (fields: Partial<Branding> = {}): Branding => ({
  logo_url: null,
  primary_color: null,
  secondary_color: null,
  background_type: 'color',
  background_image_url: null,
  background_color: null,
  stamp_visual: null,
  store_template: null,
  ...fields,
});
const programme = (fields: Partial<Programme> = {}): Programme => ({
  store_id: 's',
  store_ids: [],
  enabled: true,
  goal: 10,
  reward_title: 'A reward',
  reward_unlock_message: null,
  driver: 'orders',
  reward: { kind: 'amount', value: 300, item_id: null },
  voucher_type: 'reward',
  voucher_days: 90,
  voucher_expiring_days: 7,
  stamps_per_order: 1,
  min_spend_pence: 1,
  daily_stamp_limit: 20,
  plan_key: 'growth',
  codes_without_proof: 'wait',
  nfc_enforced: false,
  multi_stamp: { enabled: true, entitled: true, max_request: 5, monthly_ceiling: 30, staff_card_without_tap: 'refuse' },
  tags: [{ uid: '04C0FFEE000001', key_version: '1', revoked: false }],
  ...fields,
});

test('a reward says what it takes off, and each kind begins with one that can be saved', () => {
  const rewards = (['amount', 'percent', 'item'] as const).map((kind) => rewardOf(kind, [{ id: 'flat-white' }]));
  expect(rewards.map((reward) => rewardText(reward, 'GBP', 'Flat white', 'en-GB'))).toEqual([
    '£3.00 off',
    '10 % off',
    'Flat white for nothing',
  ]);
  expect(rewards[2]).toEqual({ kind: 'item', value: 1, item_id: 'flat-white' });
  expect(rewardText({ kind: 'item', value: 2, item_id: 'x' }, 'GBP', undefined)).toBe('2 × an item for nothing');
});

test('a card says what earns its stamps', () => {
  const said = (['orders', 'visits', 'membership'] as const).map((driver) =>
    earnText(programme({ driver, stamps_per_order: 2, min_spend_pence: 500 }), 'GBP', 'en-GB'),
  );
  expect(earnText(programme(), 'GBP')).toBe('An order earns 1 stamp.');
  expect(said).toEqual(['An order from £5.00 earns 2 stamps.', 'A visit earns a stamp.', 'Members show it; it earns no stamps by itself.']);
});

test('a preview has the colours of the store, and the app’s where the store has none; hard ones are named', () => {
  expect(coloursOf(branding())).toEqual({ text: '#15202b', background: '#ffffff', second: '#0b4a7a' });
  expect(coloursOf(branding({ primary_color: '#3b2f2f', background_color: '#f5ef' }))).toEqual({
    text: '#3b2f2f',
    background: '#ffffff',
    second: '#3b2f2f',
  });
  const hard = { primary_color: '#ffcc00', background_color: '#ffffff' };
  expect(readingFault(branding(hard))).toContain('1.5 to 1');
  expect([readingFault(branding({ ...hard, background_type: 'image' })), readingFault(branding())]).toEqual([null, null]);
});

test('a tag is typed as apps show its number', () => {
  expect(['04:c0:ff:ee:00:00:01', '04C0FFEE000001', ' 04 c0 ff ee 00 00 01 '].map(tagUid)).toEqual(Array(3).fill('04C0FFEE000001'));
  expect(['04:c0', '', '04C0FFEE00000G'].map(tagUid)).toEqual([null, null, null]);
});

test('a change of a programme names what differs: a field of several stamps, a tag, and nothing of the platform', () => {
  const tag = { uid: '04C0FFEE000002', key_version: '1', revoked: false };
  const before = programme();
  const draft = programme({ goal: 6, multi_stamp: { ...before.multi_stamp, max_request: 3 }, tags: [tag] });
  expect(programmeObject.changes(before, draft)).toEqual({
    goal: 6,
    multi_stamp: { max_request: 3 },
    tags: [tag],
    remove_tags: ['04C0FFEE000001'],
  });
});
