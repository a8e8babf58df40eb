import { expect, test } from '@jest/globals';
import { codeSource, encodeStampCode, readStampCode } from './stamp-code.ts';

test('forty bits are encoded as eight characters', () => {
  expect(encodeStampCode(Uint8Array.of(0, 0, 0, 0, 0))).toBe('00000000');
  expect(encodeStampCode(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0))).toBe('ZZZZZZZZ');
  expect(encodeStampCode(Uint8Array.of(0x08, 0x86, 0x42, 0x98, 0xe8))).toBe('12345678');
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
])('the typed text %j is read as the code %s', (typed, code) => {
  expect(readStampCode(typed)).toBe(code);
});

test.each([
  ['nfc', 'nfc'],
  ['N', 'nfc'],
  ['q', 'qr'],
  ['qr', 'qr'],
  ['order', 'web'],
  [null, 'web'],
])('a code whose client names %s as its source has the source %s, or nfc with a verified tap', (claimed, source) => {
  expect(codeSource(claimed, false)).toBe(source);
  expect(codeSource(claimed, true)).toBe('nfc');
});
