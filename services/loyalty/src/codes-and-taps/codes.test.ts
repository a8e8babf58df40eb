import { describe, expect, test } from '@jest/globals';
import {
  approvalOfCode,
  codeSource,
  decideRedemption,
  encodeStampCode,
  readProof,
  readStampCode,
  receiptApproved,
  receiptSource,
  tapTime,
} from './rules.ts';

describe('stamp codes:', () => {
  test('forty bits are encoded as eight characters', () => {
    expect(encodeStampCode(Uint8Array.of(0, 0, 0, 0, 0))).toBe('00000000');
    expect(encodeStampCode(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0))).toBe('ZZZZZZZZ');
    expect(encodeStampCode(Uint8Array.of(0x08, 0x86, 0x42, 0x98, 0xe8))).toBe('12345678');
  });

  test.each([
    ['7K2M9QXR', '7K2M9QXR'],
    ['  stamp-7k2m9qxr ', '7K2M9QXR'],
    ['STAMP-7K2M 9QXR', '7K2M9QXR'],
    ['stamp–7k2m—9qxr\u200b', '7K2M9QXR'],
    ['ＳＴＡＭＰ－７Ｋ２Ｍ９ＱＸＲ', '7K2M9QXR'],
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
});

describe('decideRedemption', () => {
  const code = { store_id: 'here', used: false, expiresAtMs: 2_000 };
  const at = { expectedStoreId: null, nowMs: 1_000 };

  test('redeems an unused code until it expires', () => {
    expect(decideRedemption(code, at)).toEqual({ step: 'redeem', code });
    expect(decideRedemption(code, { ...at, nowMs: 1_999 }).step).toBe('redeem');
    expect(decideRedemption(code, { ...at, nowMs: 2_000 })).toEqual({ step: 'refuse', problem: 'CODE_EXPIRED' });
  });

  test('replays a used code, even one that has expired', () => {
    const used = { ...code, used: true };
    expect(decideRedemption(used, { ...at, nowMs: 9_000 })).toEqual({ step: 'replay', code: used });
  });

  test('refuses an unknown code, and a code of another store than the expected one', () => {
    expect(decideRedemption(null, at)).toEqual({ step: 'refuse', problem: 'CODE_NOT_FOUND' });
    expect(decideRedemption(code, { ...at, expectedStoreId: 'here' }).step).toBe('redeem');
    expect(decideRedemption(code, { ...at, expectedStoreId: 'elsewhere' })).toEqual({ step: 'refuse', problem: 'CODE_WRONG_STORE' });
  });
});

describe('approvalOfCode', () => {
  const ana = { presenceVerified: false, withoutProof: 'count', mintedFor: 'ana', redeemer: 'ana', customersOfDevice: 1 } as const;

  test('approves a customer’s stamp where the store lets codes count without proof', () => {
    expect(approvalOfCode(ana)).toEqual({ approved: true, reason: 'auto' });
    expect(approvalOfCode({ ...ana, mintedFor: null }).approved).toBe(true);
  });

  test('approves a stamp with a verified tap where codes without proof wait', () => {
    expect(approvalOfCode({ ...ana, presenceVerified: true, withoutProof: 'wait' })).toEqual({ approved: true, reason: 'nfc_proof' });
  });

  test('leaves a stamp pending for a guest, with another customer’s code, and without proof', () => {
    expect(approvalOfCode({ ...ana, redeemer: null, mintedFor: null, presenceVerified: true })).toEqual({
      approved: false,
      reason: 'guest',
    });
    expect(approvalOfCode({ ...ana, redeemer: 'ben' })).toEqual({ approved: false, reason: 'minted_for_another' });
    expect(approvalOfCode({ ...ana, withoutProof: 'wait' })).toEqual({ approved: false, reason: 'no_proof' });
  });

  test('leaves a stamp pending of a device of five customers, also with a verified tap, and not of four', () => {
    const tapped = { ...ana, presenceVerified: true };
    expect(approvalOfCode({ ...tapped, customersOfDevice: 4 }).approved).toBe(true);
    expect(approvalOfCode({ ...tapped, customersOfDevice: 5 })).toEqual({ approved: false, reason: 'shared_device' });
    expect(approvalOfCode({ ...tapped, customersOfDevice: 5, redeemer: null }).reason).toBe('guest');
  });
});

describe('proofs:', () => {
  const fields = { nfc_picc_data: 'aa', nfc_cmac: 'bb', nfc_key_version: '1' };

  test('three fields are a proof', () => {
    expect(readProof(fields)).toEqual({ piccData: 'aa', cmac: 'bb', keyVersion: '1' });
  });

  test.each(['nfc_picc_data', 'nfc_cmac', 'nfc_key_version'] as const)(
    'a proof without %s is incomplete, absent, null or empty',
    (field) => {
      for (const value of [undefined, null, '']) expect(readProof({ ...fields, [field]: value })).toBe('incomplete');
    },
  );

  test('no field at all is no proof', () => {
    expect(readProof({})).toBe('none');
    expect(readProof({ nfc_picc_data: '', nfc_cmac: null })).toBe('none');
  });
});

describe('receipts:', () => {
  const at = new Date('2026-05-08T12:00:00.000Z');

  test.each([
    ['2026-05-08T11:59:00Z', '2026-05-08T11:59:00.000Z'],
    ['2026-05-08T13:30:00.250+02:00', '2026-05-08T11:30:00.250Z'],
    ['2026-05-01T12:00:00.000Z', '2026-05-01T12:00:00.000Z'],
    ['2026-05-08T12:02:00.000Z', '2026-05-08T12:02:00.000Z'],
    [null, '2026-05-08T12:00:00.000Z'],
  ])('a receipt with the time %s is accepted as made at %s', (given, time) => {
    expect(tapTime(given, at)).toEqual(new Date(time));
  });

  test.each([
    ['2026-05-01T11:59:59.999Z', 'receipt_too_old'],
    ['2026-05-08T12:02:00.001Z', 'receipt_in_future'],
    ['yesterday', 'invalid_timestamp'],
    ['', 'invalid_timestamp'],
    ['2026-05-08', 'invalid_timestamp'],
    ['2026-05-08T12:00:00', 'invalid_timestamp'],
    ['2026-02-30T12:00:00Z', 'invalid_timestamp'],
    ['1778241600000', 'invalid_timestamp'],
  ])('a receipt with the time %j is refused with %s', (given, fault) => {
    expect(tapTime(given, at)).toBe(fault);
  });

  test('a receipt cannot claim the source of another kind of stamp', () => {
    expect(['offline_nfc', 'offline_qr', 'order', 'hub', 'multi_stamp', 'nfc', null].map(receiptSource)).toEqual([
      'offline_nfc',
      'offline_qr',
      ...Array.from({ length: 5 }, () => 'offline_nfc'),
    ]);
  });

  test('only a verified tap that was not used approves a receipt', () => {
    const reasons = ['nfc_proof', 'no_proof', 'proof_invalid', 'tap_replayed'] as const;
    expect(reasons.filter(receiptApproved)).toEqual(['nfc_proof']);
  });
});
