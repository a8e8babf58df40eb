import { describe, expect, test } from '@jest/globals';
import { codeSource, judgeCode, readStampCode, stampCodeOf } from './stamp-code.ts';

test('forty bits become eight characters', () => {
  expect(stampCodeOf(Uint8Array.of(0, 0, 0, 0, 0))).toBe('00000000');
  expect(stampCodeOf(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0))).toBe('ZZZZZZZZ');
  expect(stampCodeOf(Uint8Array.of(0x08, 0x86, 0x42, 0x98, 0xe8))).toBe('12345678');
});

test.each([
  ['7K2M9QXR', '7K2M9QXR'],
  ['  stamp-7k2m9qxr ', '7K2M9QXR'],
  ['STAMP-7K2M 9QXR', '7K2M9QXR'],
  ['7k2m-9qxr', '7K2M9QXR'],
  ['oil0lLiI', '01101111'],
  ['STAMPXYZ', 'STAMPXYZ'],
  ['STAMP-STAMPXYZ', 'STAMPXYZ'],
  ['7K2M9QX', null],
  ['7K2M9QXRR', null],
  ['7K2M9QXU', null],
  ['STAMP-', null],
  ['7K2M9QX\0', null],
])('%s is read as %s', (typed, code) => {
  expect(readStampCode(typed)).toBe(code);
});

test.each([
  ['nfc', 'nfc'],
  ['N', 'nfc'],
  ['q', 'qr'],
  ['qr', 'qr'],
  ['order', 'web'],
  [null, 'web'],
])('said to be from %s, it is from %s, unless a tap proves better', (said, source) => {
  expect(codeSource(said, false)).toBe(source);
  expect(codeSource(said, true)).toBe('nfc');
});

describe('a stamp counts at once', () => {
  const ana = { proved: false, approvalMode: 'auto', boundTo: 'ana', redeemer: 'ana' } as const;

  test('for a tap, or a known customer where the store trusts its codes', () => {
    expect(judgeCode(ana)).toEqual({ approved: true, reason: 'auto' });
    expect(judgeCode({ ...ana, boundTo: null }).approved).toBe(true);
    expect(judgeCode({ ...ana, proved: true, approvalMode: 'manual' })).toEqual({ approved: true, reason: 'nfc_proof' });
  });

  test('not for a guest, by another’s code, or where staff decide', () => {
    expect(judgeCode({ ...ana, redeemer: null, boundTo: null, proved: true })).toEqual({ approved: false, reason: 'guest' });
    expect(judgeCode({ ...ana, redeemer: 'ben' })).toEqual({ approved: false, reason: 'minted_for_another' });
    expect(judgeCode({ ...ana, approvalMode: 'manual' })).toEqual({ approved: false, reason: 'manual_approval' });
  });
});
