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
 * Reads a typed stamp code: in any case, with or without `STAMP-`, with spaces or hyphens, O for 0, I or L for 1. Returns null when the
 * text is not a code.
 */
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

/** Returns the source of a code and its stamp. A verified tap is always `nfc`; otherwise the client's own word counts, if it is a known one. */
export function codeSource(claimed: string | null | undefined, tapVerified: boolean): 'nfc' | 'qr' | 'web' {
  if (tapVerified) return 'nfc';
  const word = claimed?.trim().toLowerCase();
  if (word === 'nfc' || word === 'n') return 'nfc';
  return word === 'qr' || word === 'q' ? 'qr' : 'web';
}
