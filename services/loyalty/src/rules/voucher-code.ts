const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Returns a voucher's code: ten characters that are not mistaken for each other. `pick` returns a random whole number below its argument. */
export const voucherCode = (pick: (below: number) => number): string =>
  Array.from({ length: 10 }, () => alphabet[pick(alphabet.length)]).join('');
