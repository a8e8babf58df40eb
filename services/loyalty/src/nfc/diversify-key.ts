import { cbc } from '@noble/ciphers/aes.js';

const zeros = new Uint8Array(16);
const encrypt = (key: Uint8Array, blocks: Uint8Array): Uint8Array => cbc(key, zeros, { disablePadding: true }).encrypt(blocks);

/**
 * Derives a tag's own AES-128 key from a master key (16 bytes) and an input (1 to 31 bytes), as NXP's AN10922 says. It resembles a CMAC,
 * but the input is always padded to two blocks, so an input below 16 bytes gives another key than RFC 4493. Throws a RangeError for an
 * input of another length.
 */
export function diversifyKey(master: Uint8Array, input: Uint8Array): Uint8Array {
  if (input.length < 1 || input.length > 31) throw new RangeError('a key is diversified with 1 to 31 bytes');
  const blocks = new Uint8Array(32);
  blocks[0] = 1;
  blocks.set(input, 1);
  const whole = input.length === 31;
  if (!whole) blocks[input.length + 1] = 0x80;
  const k1 = doubled(encrypt(master, zeros));
  const subkey = whole ? k1 : doubled(k1);
  for (const [index, byte] of subkey.entries()) blocks[16 + index] = (blocks[16 + index] ?? 0) ^ byte;
  return encrypt(master, blocks).slice(16);
}

/** Multiplies by x in GF(2^128), as RFC 4493 derives its subkeys. */
function doubled(block: Uint8Array): Uint8Array {
  const shifted = block.map((byte, index) => ((byte << 1) & 0xff) | ((block[index + 1] ?? 0) >> 7));
  if ((block[0] ?? 0) & 0x80) shifted[15] = (shifted[15] ?? 0) ^ 0x87;
  return shifted;
}
