import { describe, expect, test } from '@jest/globals';
import { approvalOfCode, decideRedemption } from './code-redemption.ts';

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
  const ana = { presenceVerified: false, withoutProof: 'count', mintedFor: 'ana', redeemer: 'ana' } as const;

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
});
