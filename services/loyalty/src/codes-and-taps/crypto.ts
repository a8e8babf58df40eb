import { createHmac, timingSafeEqual } from 'node:crypto';
import { cbc, cmac } from '@noble/ciphers/aes.js';
import { encodeStampCode, type NfcProof } from './rules.ts';

/** Returns the HMAC-SHA-256 (32 bytes) of a text. The same text has a different hash for each purpose. */
export const keyedHash = (secret: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();

/** Returns the code of a row: derived from the secret and the row's id, so the table alone reveals no code. */
export const stampCodeOf = (secret: string, id: string): string => encodeStampCode(keyedHash(secret, 'code', id));

export const stampCodeHash = (secret: string, code: string): Buffer => keyedHash(secret, 'hash', code);

/**
 * The keys of one version, 16 bytes each. `meta` decrypts UID and counter: one for all tags, since the tag is not known before. Each tag's
 * own key is derived from `master`.
 */
interface KeyPair {
  readonly meta: Uint8Array;
  readonly master: Uint8Array;
}

/** Accepted keys by version, and the bytes (6 to 21) from which, with its UID, a tag's own key is derived. */
export interface NfcKeys {
  readonly versions: ReadonlyMap<string, KeyPair>;
  readonly systemId: Uint8Array;
}

/**
 * A tap whose proof verifies. Its tag may be unknown or of another store, and the tap may have been used. `uid`: 14 hex digits, upper case.
 */
export interface Tap {
  readonly uid: string;
  readonly counter: number;
  readonly keyVersion: string;
}

/** The application id of every NTAG 424. */
const applicationId = Uint8Array.of(0x30, 0x42, 0xf5);

const unknownKeys: KeyPair = { meta: new Uint8Array(16), master: new Uint8Array(16) };

const unreadable: TapData = { uid: new Uint8Array(7), counter: new Uint8Array(3) };

/**
 * Verifies the proof of a tap. Returns null when it is invalid. Every invalid proof takes the same work, so the response time does not
 * reveal which part is wrong.
 */
export function verifyProof({ piccData, cmac, keyVersion }: NfcProof, { versions, systemId }: NfcKeys): Tap | null {
  const keys = versions.get(keyVersion);
  const { meta, master } = keys ?? unknownKeys;
  const picc = bytesOf(piccData, 16);
  const data = readTapData(picc ?? new Uint8Array(16), meta);
  const { uid } = data ?? unreadable;
  const fileKey = diversifyKey(master, Uint8Array.of(...uid, ...applicationId, ...systemId));
  const givenMac = bytesOf(cmac, 8);
  const macMatches = sameMac(macOfTap(fileKey, data ?? unreadable), givenMac ?? new Uint8Array(8));
  if (!(keys && picc && data && givenMac && macMatches)) return null;
  return { uid: Buffer.from(uid).toString('hex').toUpperCase(), counter: counterOf(data), keyVersion };
}

function bytesOf(hex: string, length: number): Uint8Array | null {
  return hex.length === 2 * length && /^[0-9a-f]+$/i.test(hex) ? Uint8Array.from(Buffer.from(hex, 'hex')) : null;
}

/** The data that a tag sends at one tap: its UID (7 bytes) and a counter that rises with each tap (3 bytes, lowest byte first). */
interface TapData {
  readonly uid: Uint8Array;
  readonly counter: Uint8Array;
}

const zeros = new Uint8Array(16);

/** The PICCData tag of a 7-byte UID and a counter, both mirrored, as our tags are configured. */
const bothMirrored = 0xc7;

/** Decrypts PICCData (16 bytes, AES-128-CBC). Returns null unless one of our tags sent it under this key. LRP tags send 24 bytes. */
export function readTapData(piccData: Uint8Array, metaKey: Uint8Array): TapData | null {
  if (piccData.length !== 16) return null;
  const plain = cbc(metaKey, zeros, { disablePadding: true }).decrypt(piccData);
  return plain[0] === bothMirrored ? { uid: plain.slice(1, 8), counter: plain.slice(8, 11) } : null;
}

/** Returns the MAC of a tap (8 bytes): every second byte of a CMAC under this tap's session key. Our tags sign no further data, so `input` is empty. */
export function macOfTap(fileKey: Uint8Array, { uid, counter }: TapData, input = new Uint8Array()): Uint8Array {
  const vector = new Uint8Array(16);
  vector.set([0x3c, 0xc3, 0x00, 0x01, 0x00, 0x80]);
  vector.set(uid, 6);
  vector.set(counter, 13);
  return cmac(input, cmac(vector, fileKey)).filter((_, index) => index % 2 === 1);
}

export const counterOf = ({ counter: [low = 0, middle = 0, high = 0] }: TapData): number => low | (middle << 8) | (high << 16);

export const sameMac = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

const zeroBlock = new Uint8Array(16);

const encrypt = (key: Uint8Array, blocks: Uint8Array): Uint8Array => cbc(key, zeroBlock, { disablePadding: true }).encrypt(blocks);

/**
 * Derives a tag's own AES-128 key from a master key (16 bytes) and an input (1 to 31 bytes), by NXP's AN10922. It resembles a CMAC,
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
  const k1 = doubled(encrypt(master, zeroBlock));
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
