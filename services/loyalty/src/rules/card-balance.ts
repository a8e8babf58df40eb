import assert from 'node:assert';

/** Returns how many vouchers a card's stamps complete, and the stamps left over. */
export function vouchersDue(stampCount: number, goal: number): { readonly vouchers: number; readonly stampCount: number } {
  assert(goal > 0);
  const vouchers = Math.floor(stampCount / goal);
  return { vouchers, stampCount: stampCount - vouchers * goal };
}

/** Returns the card's count after each of `added` stamps, the last of which brought it to `stampCount`. Stamps that pay a debt leave it at 0. */
export const countsAfterEach = (stampCount: number, added: number): number[] =>
  Array.from({ length: added }, (_, index) => Math.max(0, stampCount - (added - 1 - index)));
