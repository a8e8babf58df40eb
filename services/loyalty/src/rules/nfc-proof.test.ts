import { expect, test } from '@jest/globals';
import { readProof } from './nfc-proof.ts';

const fields = { nfc_picc_data: 'aa', nfc_cmac: 'bb', nfc_key_version: '1' };

test('three fields are a proof', () => {
  expect(readProof(fields)).toEqual({ piccData: 'aa', cmac: 'bb', keyVersion: '1' });
});

test.each(['nfc_picc_data', 'nfc_cmac', 'nfc_key_version'] as const)('a proof without %s is incomplete, absent, null or empty', (field) => {
  for (const value of [undefined, null, '']) expect(readProof({ ...fields, [field]: value })).toBe('incomplete');
});

test('no field at all is no proof', () => {
  expect(readProof({})).toBe('none');
  expect(readProof({ nfc_picc_data: '', nfc_cmac: null })).toBe('none');
});
