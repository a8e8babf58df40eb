import { cbc } from '@noble/ciphers/aes.js';
import { diversifyKey, macOfTap, type NfcKeys } from '../codes-and-taps/crypto.ts';
import type { NfcProof } from '../codes-and-taps/rules.ts';

const key = (byte: number) => new Uint8Array(16).fill(byte);

const hex = (of: Uint8Array) => Buffer.from(of).toString('hex');

const bytes = (of: string) => Uint8Array.from(Buffer.from(of, 'hex'));

/** Two key versions, as a deployment has them while it rotates keys. */
export const testKeys: NfcKeys = {
  versions: new Map([
    ['1', { meta: key(0x11), master: key(0x12) }],
    ['2', { meta: key(0x21), master: key(0x22) }],
  ]),
  systemId: bytes('636f726e6572'),
};

/** The same keys as the setting NFC_KEYS. */
export const testKeysSetting = JSON.stringify(
  Object.fromEntries([...testKeys.versions].map(([name, { meta, master }]) => [name, { meta: hex(meta), master: hex(master) }])),
);

/** Returns the proof a tag sends when it is tapped. */
export function tapOf(uid: string, counter: number, keyVersion = '1'): NfcProof {
  const keys = testKeys.versions.get(keyVersion) ?? { meta: key(0), master: key(0) };
  const data = { uid: bytes(uid), counter: Uint8Array.of(counter & 0xff, (counter >> 8) & 0xff, counter >> 16) };
  const plain = Uint8Array.of(0xc7, ...data.uid, ...data.counter, 1, 2, 3, 4, 5);
  const fileKey = diversifyKey(keys.master, Uint8Array.of(...data.uid, 0x30, 0x42, 0xf5, ...testKeys.systemId));
  return {
    piccData: hex(cbc(keys.meta, new Uint8Array(16), { disablePadding: true }).encrypt(plain)),
    cmac: hex(macOfTap(fileKey, data)),
    keyVersion,
  };
}

/** Returns the fields that carry a proof in a request. */
export const fieldsOf = ({ piccData, cmac, keyVersion }: NfcProof) => ({
  nfc_picc_data: piccData,
  nfc_cmac: cmac,
  nfc_key_version: keyVersion,
});
