import type { ProblemCode } from '@corner/contracts';

export interface RedeemableCode {
  readonly store_id: string;
  readonly used: boolean;
  readonly expiresAtMs: number;
}

export type Redemption<Code> =
  | { readonly step: 'redeem' | 'replay'; readonly code: Code }
  | { readonly step: 'refuse'; readonly problem: ProblemCode };

/** Decides what redeeming a code does. A used code is replayed even after it expired: the customer may have lost the first response. */
export function decideRedemption<Code extends RedeemableCode>(
  code: Code | null,
  { expectedStoreId, nowMs }: { readonly expectedStoreId: string | null | undefined; readonly nowMs: number },
): Redemption<Code> {
  if (!code) return { step: 'refuse', problem: 'CODE_NOT_FOUND' };
  if (expectedStoreId && expectedStoreId !== code.store_id) return { step: 'refuse', problem: 'CODE_WRONG_STORE' };
  if (code.used) return { step: 'replay', code };
  return code.expiresAtMs <= nowMs ? { step: 'refuse', problem: 'CODE_EXPIRED' } : { step: 'redeem', code };
}

export interface CodeUse {
  readonly presenceVerified: boolean;
  /** What the store wants of codes without the proof of a tap. */
  readonly withoutProof: 'wait' | 'count';
  /** The customer the code was minted for; null when that was a guest. */
  readonly mintedFor: string | null;
  /** The customer who redeems it; null for a guest. */
  readonly redeemer: string | null;
}

/** Whether a redeemed code's stamp counts at once, and the reason either way. A guest's stamp always waits: a guest has no card. */
export function approvalOfCode({ presenceVerified, withoutProof, mintedFor, redeemer }: CodeUse): Approval {
  if (redeemer === null) return { approved: false, reason: 'guest' };
  if (presenceVerified) return { approved: true, reason: 'nfc_proof' };
  if (withoutProof === 'wait') return { approved: false, reason: 'no_proof' };
  if (mintedFor !== null && mintedFor !== redeemer) return { approved: false, reason: 'minted_for_another' };
  return { approved: true, reason: 'auto' };
}

export interface Approval {
  readonly approved: boolean;
  readonly reason: string;
}
