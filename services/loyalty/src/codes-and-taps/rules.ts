import { InstantInput, normaliseTyped, type ProblemCode } from '@corner/contracts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A customer who requests another code within this many seconds gets the same one. */
export const reuseSeconds = 60;

/** Encodes the first 40 bits of `bytes` as a stamp code: eight characters of Crockford's base 32. */
export function encodeStampCode(bytes: Uint8Array): string {
  let bits = 0n;
  for (const byte of bytes.slice(0, 5)) bits = (bits << 8n) | BigInt(byte);
  return Array.from({ length: 8 }, (_, place) => alphabet[Number((bits >> BigInt(35 - 5 * place)) & 31n)]).join('');
}

/**
 * Reads a typed stamp code: in any case, with or without `STAMP-`, with spaces or any dashes, O for 0, I or L for 1. Returns null when the
 * text is not a code.
 */
export function readStampCode(typed: string): string | null {
  const code = normaliseTyped(typed)
    .replace(/^STAMP-/, '')
    .replace(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(code) ? code : null;
}

/** Returns the source of a code and its stamp. A verified tap is always `nfc`; otherwise it is the client's word, if that is a known one. */
export function codeSource(claimed: string | null | undefined, tapVerified: boolean): 'nfc' | 'qr' | 'web' {
  if (tapVerified) return 'nfc';
  const word = claimed?.trim().toLowerCase();
  if (word === 'nfc' || word === 'n') return 'nfc';
  return word === 'qr' || word === 'q' ? 'qr' : 'web';
}

interface RedeemableCode {
  readonly store_id: string;
  readonly used: boolean;
  readonly expiresAtMs: number;
}

type Redemption<Code> =
  | { readonly step: 'redeem' | 'replay'; readonly code: Code }
  | { readonly step: 'refuse'; readonly problem: ProblemCode };

/** Decides how a redemption ends. A used code is replayed even after it expired: the customer may have lost the first response. */
export function decideRedemption<Code extends RedeemableCode>(
  code: Code | null,
  { expectedStoreId, nowMs }: { readonly expectedStoreId: string | null | undefined; readonly nowMs: number },
): Redemption<Code> {
  if (!code) return { step: 'refuse', problem: 'CODE_NOT_FOUND' };
  if (expectedStoreId && expectedStoreId !== code.store_id) return { step: 'refuse', problem: 'CODE_WRONG_STORE' };
  if (code.used) return { step: 'replay', code };
  return code.expiresAtMs <= nowMs ? { step: 'refuse', problem: 'CODE_EXPIRED' } : { step: 'redeem', code };
}

/**
 * `withoutProof`: whether a code without the proof of a tap counts at once. `mintedFor`, `redeemer`: null for a guest. `customersOfDevice`:
 * for how many customers one of its devices minted or redeemed codes of the store within a day, this one included.
 */
interface CodeUse {
  readonly presenceVerified: boolean;
  readonly withoutProof: 'wait' | 'count';
  readonly mintedFor: string | null;
  readonly redeemer: string | null;
  readonly customersOfDevice: number;
}

/** From this many customers of one device in a day on, its stamps wait for approval. A family shares a phone; five customers seldom do. */
const sharedDeviceCustomers = 5;

export const deviceUseSince = (now: Date): Date => new Date(now.getTime() - 86_400_000);

/** Decides whether a redeemed code's stamp counts at once, and gives the reason. A guest's stamp always waits: a guest has no card. */
export function approvalOfCode({ presenceVerified, withoutProof, mintedFor, redeemer, customersOfDevice }: CodeUse): Approval {
  if (redeemer === null) return { approved: false, reason: 'guest' };
  if (customersOfDevice >= sharedDeviceCustomers) return { approved: false, reason: 'shared_device' };
  if (presenceVerified) return { approved: true, reason: 'nfc_proof' };
  if (withoutProof === 'wait') return { approved: false, reason: 'no_proof' };
  if (mintedFor !== null && mintedFor !== redeemer) return { approved: false, reason: 'minted_for_another' };
  return { approved: true, reason: 'auto' };
}

interface Approval {
  readonly approved: boolean;
  readonly reason: string;
}

export interface ProofFields {
  readonly nfc_picc_data?: string | null | undefined;
  readonly nfc_cmac?: string | null | undefined;
  readonly nfc_key_version?: string | null | undefined;
}

/** The proof of a tap as a request carries it: hexadecimal in any case. */
export interface NfcProof {
  readonly piccData: string;
  readonly cmac: string;
  readonly keyVersion: string;
}

/** Reads the proof of a tap. Returns `none` without any of its fields and `incomplete` without all of them; an empty field counts as absent. */
export function readProof({
  nfc_picc_data: piccData,
  nfc_cmac: cmac,
  nfc_key_version: keyVersion,
}: ProofFields): NfcProof | 'incomplete' | 'none' {
  if (piccData && cmac && keyVersion) return { piccData, cmac, keyVersion };
  return piccData || cmac || keyVersion ? 'incomplete' : 'none';
}

type TimeFault = 'invalid_timestamp' | 'receipt_too_old' | 'receipt_in_future';

const maxAgeMs = 7 * 86_400_000;

/** The greatest lead of a phone's clock over ours that is still accepted. */
const maxSkewMs = 2 * 60_000;

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

/** The outcome of a receipt's proof, kept as the approval reason of its stamp. */
export type ReceiptReason = 'nfc_proof' | 'no_proof' | 'proof_invalid' | 'tap_replayed';

export const receiptApproved = (reason: ReceiptReason): boolean => reason === 'nfc_proof';
