export type ErrorText = readonly [happened: string, toDo: string];

export type Place = 'menu' | 'basket' | 'card' | 'queue' | 'me' | 'orders';

/** Any other code is resolved where it is shown, or at the counter. */
export const placeOf: Readonly<Record<string, Place>> = {
  ID_TOKEN_INVALID: 'me',
  ID_TOKEN_USED: 'me',
  STORE_NOT_ACCEPTING_ORDERS: 'menu',
  STORE_CLOSED: 'basket',
  ITEM_NOT_FOUND: 'menu',
  CHOICES_INVALID: 'menu',
  PRICE_CHANGED: 'basket',
  OUT_OF_STOCK: 'menu',
  SLOT_NOT_FOUND: 'basket',
  SLOT_CLOSED: 'basket',
  SLOT_JUST_FILLED: 'basket',
  READY_LATER: 'basket',
  PROMO_INVALID: 'basket',
  PROMO_EXPIRED: 'basket',
  PROMO_NOT_APPLICABLE: 'basket',
  PROMO_LIMIT_REACHED: 'basket',
  VOUCHER_NOT_FOUND: 'basket',
  VOUCHER_EXPIRED: 'basket',
  VOUCHER_RESERVED: 'orders',
  VOUCHER_ALREADY_REDEEMED: 'basket',
  VOUCHER_VOIDED: 'basket',
  VOUCHER_NOT_APPLICABLE: 'menu',
  AMOUNT_BELOW_MINIMUM: 'menu',
  PAYMENT_MODE_MISMATCH: 'menu',
  ORDER_NOT_FOUND: 'orders',
  CODE_NOT_FOUND: 'card',
  CODE_EXPIRED: 'card',
  CODE_ALREADY_USED: 'card',
  WALK_INS_NOT_ACCEPTED: 'queue',
  BOOKINGS_NOT_ACCEPTED: 'queue',
  BOOKING_NOT_FOUND: 'queue',
  SESSION_NOT_FOUND: 'queue',
  NO_CAPACITY_TODAY: 'queue',
  SERVICE_NOT_FOUND: 'queue',
  UNIT_NOT_FOUND: 'queue',
  QUEUE_ENTRY_NOT_FOUND: 'queue',
};

const ends: Readonly<Record<Exclude<Place, 'orders'>, string>> = { menu: '', basket: '/basket', card: '/card', queue: '/queue', me: '/me' };

/**
 * Returns the address of a place, for a person at `path`; null where they are already there, or where no shop is known. `last` is the last
 * shop that they opened.
 */
export function hrefOf(place: Place, path: string, last: string | null): string | null {
  if (place === 'orders') return path === '/orders' ? null : '/orders';
  const home = /^\/s\/[^/]+/.exec(path)?.[0] ?? (last === null ? null : `/s/${encodeURIComponent(last)}`);
  const href = home === null ? null : home + ends[place];
  return href === path ? null : href;
}
