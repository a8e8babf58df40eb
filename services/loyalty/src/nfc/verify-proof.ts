import type { NfcProof } from '../rules/codes.ts';
import { diversifyKey } from './diversify-key.ts';
import { counterOf, macOfTap, readTapData, sameMac, type TapData } from './tap.ts';

/** The keys of one version, 16 bytes each. */
export interface KeyPair {
  /** Decrypts the UID and counter: the same for all tags, since the tag is not known before they are decrypted. */
  readonly meta: Uint8Array;
  /** Each tag's own key is derived from it. */
  readonly master: Uint8Array;
}

/** Accepted keys by version, and the bytes (6 to 21) from which a tag's own key is derived besides its UID. */
export interface NfcKeys {
  readonly versions: ReadonlyMap<string, KeyPair>;
  readonly systemId: Uint8Array;
}

/** A tap whose proof verifies. Whether the tag is known, which store owns it and whether the tap was used is in the tables. */
export interface Tap {
  /** 14 hex digits, upper case. */
  readonly uid: string;
  readonly counter: number;
  readonly keyVersion: string;
}

/** The application id of every NTAG 424. */
const applicationId = Uint8Array.of(0x30, 0x42, 0xf5);
const unknownKeys: KeyPair = { meta: new Uint8Array(16), master: new Uint8Array(16) };
const unreadable: TapData = { uid: new Uint8Array(7), counter: new Uint8Array(3) };

/**
 * Verifies the proof of a tap. Returns null when it is invalid. An invalid proof takes the same work whatever is wrong with it, so the
 * response time does not reveal what that is.
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
