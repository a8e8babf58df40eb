import { passColours } from '../rules/pass-colours.ts';
import { passContent } from '../rules/pass-content.ts';
import type { CompletePass, PassState } from '../rules/pass-state.ts';

/** Google’s states of an object. */
const states = { active: 'ACTIVE', redeemed: 'INACTIVE', voided: 'INACTIVE', expired: 'EXPIRED' } as const;

/** The ids at Google of a pass’s object and of its store’s class. */
export const googleIds = (issuerId: string, { storeId, serial }: Pick<PassState, 'storeId' | 'serial'>) => ({
  classId: `${issuerId}.store-${storeId}`,
  objectId: `${issuerId}.pass-${serial}`,
});

/** A store’s class: what its passes have in common. Google requires a logo and loads it from its address. */
export function classOf(pass: PassState, issuerId: string, defaultLogo: string) {
  const logo = pass.logoUrl?.startsWith('https://') ? pass.logoUrl : defaultLogo;
  return {
    id: googleIds(issuerId, pass).classId,
    issuerName: pass.storeName,
    programName: pass.storeName,
    programLogo: { sourceUri: { uri: logo } },
    hexBackgroundColor: passColours(pass.background).background,
    reviewStatus: 'UNDER_REVIEW',
  };
}

/** A pass’s object. */
export function objectOf(pass: CompletePass, issuerId: string) {
  const { status, reward, rewardsReady, voucher, barcode } = passContent(pass);
  const { classId, objectId } = googleIds(issuerId, pass);
  return {
    id: objectId,
    classId,
    state: states[pass.state],
    loyaltyPoints: { label: status.label, balance: { string: status.value } },
    textModulesData: [
      { id: 'reward', header: reward.label, body: reward.value },
      ...(rewardsReady ? [{ id: 'ready', header: rewardsReady.label, body: rewardsReady.value }] : []),
      ...(voucher ? [{ id: 'code', header: voucher.code.label, body: voucher.code.value }] : []),
      ...(voucher ? [{ id: 'until', header: voucher.lastDay.label, body: voucher.lastDay.value }] : []),
    ],
    ...(voucher ? { validTimeInterval: { end: { date: voucher.expiresAt } } } : {}),
    barcode: { type: 'QR_CODE', value: barcode, ...(voucher ? { alternateText: voucher.code.value } : {}) },
  };
}
