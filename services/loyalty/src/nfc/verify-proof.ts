import { diversifyKey } from './diversify-key.ts';
import { counterOf, macOfTap, readTapData, sameMac, type TapData } from './tap.ts';

/** The keys of one version, 16 bytes each. */
export interface KeyPair {
  /** Decrypts who tapped: the same for all tags, since it is not known before which one it is. */
  readonly meta: Uint8Array;
  /** Each tag's own key is made from it. */
  readonly master: Uint8Array;
}

/** Key versions that are read, by name, and what a tag's own key is made from besides its UID (6 to 21 bytes). */
export interface NfcKeys {
  readonly versions: ReadonlyMap<string, KeyPair>;
  readonly systemId: Uint8Array;
}

/** A proof as it is sent, hex in any case. */
export interface Proof {
  readonly piccData: string;
  readonly cmac: string;
  readonly keyVersion: string;
}

/** A tap that verifies. Whether the tag is known, whose it is and whether the tap was used is for the tables to say. */
export interface Tap {
  /** 14 hex digits, upper case. */
  readonly uid: string;
  readonly counter: number;
  readonly keyVersion: string;
}

/** Of the application on every NTAG 424. */
const applicationId = Uint8Array.of(0x30, 0x42, 0xf5);
const nobody: KeyPair = { meta: new Uint8Array(16), master: new Uint8Array(16) };
const nothing: TapData = { uid: new Uint8Array(7), counter: new Uint8Array(3) };

/** Verifies a tap. Null for any that does not, after the same work whatever the fault, so that nobody learns which it was. */
export function verifyProof({ piccData, cmac, keyVersion }: Proof, { versions, systemId }: NfcKeys): Tap | null {
  const keys = versions.get(keyVersion);
  const { meta, master } = keys ?? nobody;
  const picc = bytesOf(piccData, 16);
  const data = readTapData(picc ?? new Uint8Array(16), meta);
  const { uid } = data ?? nothing;
  const fileKey = diversifyKey(master, Uint8Array.of(...uid, ...applicationId, ...systemId));
  const sent = bytesOf(cmac, 8);
  const same = sameMac(macOfTap(fileKey, data ?? nothing), sent ?? new Uint8Array(8));
  if (!(keys && picc && data && sent && same)) return null;
  return { uid: Buffer.from(uid).toString('hex').toUpperCase(), counter: counterOf(data), keyVersion };
}

function bytesOf(hex: string, length: number): Uint8Array | null {
  return hex.length === 2 * length && /^[0-9a-f]+$/i.test(hex) ? Uint8Array.from(Buffer.from(hex, 'hex')) : null;
}
