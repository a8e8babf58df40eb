import { expect, test } from '@jest/globals';
import { voucherCode } from './voucher-code.ts';

test('a voucher code has ten characters, none of which is 0, 1, I or O', () => {
  let next = 0;
  const codes = Array.from({ length: 4 }, () => voucherCode((below) => next++ % below));
  expect(new Set(codes.join('')).size).toBe(32);
  for (const code of codes) expect(code).toMatch(/^[2-9A-HJ-NP-Z]{10}$/);
});
