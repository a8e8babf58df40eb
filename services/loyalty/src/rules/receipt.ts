import { InstantInput } from '@corner/contracts';

/** Why a receipt has no time we take. */
export type TimeFault = 'invalid_timestamp' | 'receipt_too_old' | 'receipt_in_future';

/** A receipt of exactly this age is taken. */
const oldestMs = 7 * 86_400_000;
/** How far a phone's clock may be ahead of ours. */
const skewMs = 2 * 60_000;

/** When the tap was made, or what is wrong with the time given. None given: now. */
export function tapTime(given: string | null | undefined, at: Date): Date | TimeFault {
  if (given === null || given === undefined) return at;
  const tapped = new Date(InstantInput.safeParse(given.trim()).data ?? Number.NaN);
  const ageMs = at.getTime() - tapped.getTime();
  if (Number.isNaN(ageMs)) return 'invalid_timestamp';
  if (ageMs > oldestMs) return 'receipt_too_old';
  return -ageMs > skewMs ? 'receipt_in_future' : tapped;
}

/** What an offline stamp comes from. The words of other doors are theirs alone: what counts toward a limit goes by them. */
export const receiptSource = (said: string | null | undefined): string =>
  said && /^offline_[a-z]{1,20}$/.test(said) ? said : 'offline_nfc';
