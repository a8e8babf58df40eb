import { InstantInput } from '@corner/contracts';

/** Why the time of a receipt is not accepted. */
export type TimeFault = 'invalid_timestamp' | 'receipt_too_old' | 'receipt_in_future';

/** The greatest age of a receipt that is still accepted. */
const maxAgeMs = 7 * 86_400_000;
/** How far a phone's clock may be ahead of ours. */
const maxSkewMs = 2 * 60_000;

/** Returns when the tap was made, or why the given time is not accepted. Without a time it is `now`. */
export function tapTime(given: string | null | undefined, now: Date): Date | TimeFault {
  if (given === null || given === undefined) return now;
  const tappedAt = new Date(InstantInput.safeParse(given.trim()).data ?? Number.NaN);
  const ageMs = now.getTime() - tappedAt.getTime();
  if (Number.isNaN(ageMs)) return 'invalid_timestamp';
  if (ageMs > maxAgeMs) return 'receipt_too_old';
  return -ageMs > maxSkewMs ? 'receipt_in_future' : tappedAt;
}

/** Returns the source of an offline stamp. Only `offline_…` is accepted from the client, since limits depend on the other sources. */
export const receiptSource = (claimed: string | null | undefined): string =>
  claimed && /^offline_[a-z]{1,20}$/.test(claimed) ? claimed : 'offline_nfc';

/** What became of the proof a receipt carries; the reason its stamp has from then on. */
export type ReceiptReason = 'nfc_proof' | 'no_proof' | 'proof_invalid' | 'tap_replayed';

/** A receipt's stamp counts at once only with a proof of a tap that was not used; otherwise it waits for approval. */
export const receiptApproved = (reason: ReceiptReason): boolean => reason === 'nfc_proof';
