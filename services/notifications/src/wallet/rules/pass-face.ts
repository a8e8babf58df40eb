import type { PassState } from './pass-state.ts';

/** The words of a pass, the same in every wallet. */
export interface PassFace {
  readonly title: string;
  /** How far the card is, or whether the voucher is good. */
  readonly standing: { readonly label: string; readonly value: string };
  readonly reward: { readonly label: string; readonly value: string };
  /** How many rewards wait; null where there is nothing to say. */
  readonly ready: { readonly label: string; readonly value: string } | null;
  /** What staff scan: the customer on a stamp card, the voucher on a voucher. */
  readonly scanned: string;
}

const ended = { active: 'Ready to use', redeemed: 'Used', voided: 'Void', expired: 'Expired' } as const;

/** Writes what a pass says. */
export function faceOf(pass: PassState): PassFace {
  const reward = { label: 'Reward', value: pass.rewardTitle ?? 'A reward' };
  if (pass.kind === 'voucher')
    return {
      title: `${pass.storeName} voucher`,
      standing: { label: 'Voucher', value: ended[pass.state] },
      reward,
      ready: null,
      scanned: pass.voucherId ?? pass.customerId,
    };
  return {
    title: `${pass.storeName} stamp card`,
    standing: { label: 'Stamps', value: pass.goal === null ? String(pass.stamps) : `${pass.stamps} of ${pass.goal}` },
    reward,
    ready: pass.activeVouchers > 0 ? { label: 'Rewards ready', value: String(pass.activeVouchers) } : null,
    scanned: pass.customerId,
  };
}
