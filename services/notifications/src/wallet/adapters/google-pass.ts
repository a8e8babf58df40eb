import { coloursOn } from '../rules/colours.ts';
import { faceOf } from '../rules/pass-face.ts';
import type { PassState } from '../rules/pass-state.ts';

/** Google’s own words for how a voucher ended. */
const states = { active: 'ACTIVE', redeemed: 'INACTIVE', voided: 'INACTIVE', expired: 'EXPIRED' } as const;

/** The ids of a pass at Google: its object’s and its store’s class’s. */
export const googleIds = (issuerId: string, { storeId, serial }: Pick<PassState, 'storeId' | 'serial'>) => ({
  classId: `${issuerId}.store-${storeId}`,
  objectId: `${issuerId}.pass-${serial}`,
});

/** A store’s class: what its passes have in common. Google loads the logo from its address, and insists on one. */
export function classOf(pass: PassState, issuerId: string, plainLogo: string) {
  const logo = pass.logoUrl?.startsWith('https://') ? pass.logoUrl : plainLogo;
  return {
    id: googleIds(issuerId, pass).classId,
    issuerName: pass.storeName,
    programName: pass.storeName,
    programLogo: { sourceUri: { uri: logo } },
    hexBackgroundColor: coloursOn(pass.background).background,
    reviewStatus: 'UNDER_REVIEW',
  };
}

/** A pass’s object, as the pass stands. */
export function objectOf(pass: PassState, issuerId: string) {
  const { standing, reward, ready, scanned } = faceOf(pass);
  const { classId, objectId } = googleIds(issuerId, pass);
  return {
    id: objectId,
    classId,
    state: states[pass.state],
    loyaltyPoints: { label: standing.label, balance: { string: standing.value } },
    textModulesData: [
      { id: 'reward', header: reward.label, body: reward.value },
      ...(ready ? [{ id: 'ready', header: ready.label, body: ready.value }] : []),
    ],
    barcode: { type: 'QR_CODE', value: scanned },
  };
}
