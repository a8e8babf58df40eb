const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Seconds within which a customer who asks again gets the same code. */
export const askedAgainSeconds = 60;

/** A stamp code: the first 40 bits of `bytes` as eight characters of Crockford's base 32. */
export function stampCodeOf(bytes: Uint8Array): string {
  let bits = 0n;
  for (const byte of bytes.slice(0, 5)) bits = (bits << 8n) | BigInt(byte);
  return Array.from({ length: 8 }, (_, place) => alphabet[Number((bits >> BigInt(35 - 5 * place)) & 31n)]).join('');
}

/** The code somebody means by what they typed: in any case, with or without STAMP-, spaced or hyphened, O for 0, I or L for 1. Null: none. */
export function readStampCode(typed: string): string | null {
  const code = typed
    .trim()
    .toUpperCase()
    .replace(/^STAMP-/, '')
    .replace(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(code) ? code : null;
}

/** What a code or its stamp is said to come from. */
export function codeSource(said: string | null | undefined, proved: boolean): 'nfc' | 'qr' | 'web' {
  if (proved) return 'nfc';
  const word = said?.trim().toLowerCase();
  if (word === 'nfc' || word === 'n') return 'nfc';
  return word === 'qr' || word === 'q' ? 'qr' : 'web';
}

export interface CodeUse {
  readonly proved: boolean;
  readonly approvalMode: 'auto' | 'manual';
  /** Whom the code was minted for, and who redeems it; null is nobody known. */
  readonly boundTo: string | null;
  readonly redeemer: string | null;
}

/** Whether a redeemed code's stamp counts at once, and why or why not. A guest's has no card to count on. */
export function judgeCode({ proved, approvalMode, boundTo, redeemer }: CodeUse): { readonly approved: boolean; readonly reason: string } {
  if (redeemer === null) return { approved: false, reason: 'guest' };
  if (proved) return { approved: true, reason: 'nfc_proof' };
  if (approvalMode === 'manual') return { approved: false, reason: 'manual_approval' };
  if (boundTo !== null && boundTo !== redeemer) return { approved: false, reason: 'minted_for_another' };
  return { approved: true, reason: 'auto' };
}
