import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { nameOfPlace, partsOf } from '../web/logic/places.ts';
import { codesWithWay, wayOut } from '../web/logic/ways-out.ts';
import { sectionsOf } from '../web/pages/shop/settings/sections.ts';

const places = new Map(
  [
    ...[...readFileSync(new URL('../web/routes.tsx', import.meta.url), 'utf8').matchAll(/\.\.\.shop\('([^'$]+)', '([^']+)'\)/g)].map(
      ([, path = '', title = '']) => ({ path: `/shop/1/${path}`, title }),
    ),
    ...sectionsOf({ directory: true })
      .flatMap(([, entries]) => entries)
      .map(({ path, title }) => ({ path: `/shop/1/settings/${path}`, title })),
  ].map((place) => [nameOfPlace(place), place.path]),
);

/** Refusals that are resolved on the page that was refused, or outside of the console. */
const here: readonly string[] = [
  'ALREADY_REFUNDED',
  'CHOICES_INVALID',
  'DRAWER_NOT_OPEN',
  'DRAWER_OPEN',
  'FULFILMENT_NOT_APPLICABLE',
  'IDEMPOTENCY_IN_PROGRESS',
  'INVALID_ETA',
  'INVITATION_ENDED',
  'ITEM_NOT_FOUND',
  'MONTHLY_LIMIT_REACHED',
  'NOTE_REQUIRED',
  'NOTICE_PASSED',
  'ORDER_ALREADY_PAID',
  'ORDER_NOT_PAID',
  'ORDER_TERMINAL',
  'PAYMENT_MISMATCH',
  'PAYMENT_PROVIDER_ERROR',
  'PRICE_CHANGED',
  'PROMO_INVALID',
  'PROMO_LIMIT_REACHED',
  'PROMO_NOT_APPLICABLE',
  'RATE_LIMITED',
  'READY_LATER',
  'REFUND_AMOUNT_EXCEEDS_REMAINING',
  'REFUND_LIMIT_REACHED',
  'REFUND_LINES_EXCEED_REMAINING',
  'REFUND_REJECTED',
  'SESSION_NOT_FOUND',
  'SLOT_CLOSED',
  'SLOT_JUST_FILLED',
  'SLOT_NOT_FOUND',
  'STAMP_ALREADY_USED',
  'STAMP_NOT_UNDOABLE',
  'STORE_FORBIDDEN',
  'STORE_NOT_FOUND',
  'TENDERS_MISMATCH',
  'TENDERS_NOT_APPLICABLE',
  'TIME_NOT_FREE',
  'TOO_MANY_BOOKINGS',
  'UPSTREAM_UNAVAILABLE',
  'VALIDATION_FAILED',
  'VERSION_CONFLICT',
  'VOUCHER_EXPIRED',
  'VOUCHER_NOT_APPLICABLE',
  'VOUCHER_RESERVED',
  'VOUCHER_VOIDED',
  'WEBHOOK_ADDRESS_REFUSED',
];

test('each refusal links the page where it can be undone, or its way begins where the person is', () => {
  const linked = codesWithWay.map((code) => ({ code, hrefs: partsOf(wayOut(code, undefined), places).flatMap(({ href }) => href ?? []) }));
  expect(linked.filter(({ hrefs }) => hrefs.length === 0).map(({ code }) => code)).toEqual(here);
  expect(linked.find(({ code }) => code === 'WALK_INS_NOT_ACCEPTED')?.hrefs).toEqual(['/shop/1/queue', '/shop/1/settings/orders']);
  const plain = codesWithWay.flatMap((code) => partsOf(wayOut(code, undefined), places).filter(({ href }) => href === null));
  expect(plain.filter(({ text }) => /Settings, |the page [A-Z]/.test(text))).toEqual([]);
});

test('a page that the person may not open stays plain text, and a longer name is another page', () => {
  const text = 'See Settings, Store or Settings, Stores.';
  expect(partsOf(text, new Map())).toEqual([{ text, href: null }]);
  expect(partsOf(text, new Map([['Settings, Store', '/s']]))).toEqual([
    { text: 'See ', href: null },
    { text: 'Settings, Store', href: '/s' },
    { text: ' or Settings, Stores.', href: null },
  ]);
});

test('no name of a page has a sign of a pattern', () => {
  expect(places.size).toBeGreaterThan(20);
  expect([...places.keys()].filter((name) => /[\\^$.*+?()[\]{}|]/.test(name))).toEqual([]);
});
