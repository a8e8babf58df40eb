import { timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cbc, cmac } from '@noble/ciphers/aes.js';
import { z } from 'zod';
import { Failure } from '../screen/failure.ts';

const hex = (min: number, max = min) =>
  z
    .string()
    .regex(new RegExp(`^([0-9A-Fa-f]{2}){${min},${max}}$`), `must be ${min === max ? min : `${min} to ${max}`} bytes in hexadecimal`)
    .transform((digits) => Uint8Array.from(Buffer.from(digits, 'hex')));

const Versions = z.record(z.string().min(1).max(16), z.object({ meta: hex(16), master: hex(16) }));

export interface TagKeys {
  readonly versions: z.output<typeof Versions>;
  readonly systemId: Uint8Array;
}

const what = 'the keys of tags were not read';

export function readTagKeys(env: NodeJS.ProcessEnv): TagKeys {
  const text = setting(env, 'NFC_KEYS');
  if (text === undefined)
    throw new Failure(what, 'NFC_KEYS is not set', 'set NFC_KEYS or NFC_KEYS_FILE to the value that the loyalty service has');
  const versions = Versions.safeParse(parsed(text));
  const systemId = hex(6, 21).safeParse(setting(env, 'NFC_SYSTEM_ID') ?? Buffer.from('corner').toString('hex'));
  if (!versions.success) throw new Failure(what, `NFC_KEYS ${faultsOf(versions.error)}`, 'set it as {"1":{"meta":"…","master":"…"}}');
  if (!systemId.success) throw new Failure(what, `NFC_SYSTEM_ID ${faultsOf(systemId.error)}`, 'set the value that the loyalty service has');
  return { versions: versions.data, systemId: systemId.data };
}

const faultsOf = ({ issues }: z.ZodError): string => issues.map(({ path, message }) => [...path, message].join(' ')).join('; ');

function setting(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] || undefined;
  if (env[name]) throw new Failure(what, `${name} and ${name}_FILE are both set`, 'unset one');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Failure(what, `${name}_FILE: ${file} cannot be read`, 'name a file that you may read', { cause });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const factoryKey = new Uint8Array(16);

/**
 * Returns the key of a chip (UID of 7 bytes) by its number: 1 decrypts PICCData and is the version's `meta`; 2 signs taps, derived as the
 * loyalty service derives it, by AN10922 from the UID, the application's id 3042F5 and the system id. 0 (changes the chip), 3 and 4 (not
 * used) are derived in the same way with their number in place of the id's first byte, so no two are equal.
 */
export function tagKey({ versions, systemId }: TagKeys, version: string, uid: Uint8Array, number: number): Uint8Array {
  const keys = versions[version];
  if (!keys) throw new RangeError(`NFC_KEYS has no version ${version}`);
  if (number === 1) return keys.meta;
  // An input of 16 bytes and more is diversified as the CMAC of RFC 4493.
  return cmac(Uint8Array.of(1, ...uid, number === 2 ? 0x30 : number, 0x42, 0xf5, ...systemId), keys.master);
}

export interface Reading {
  readonly uid: Uint8Array;
  readonly keyVersion: string;
  readonly counter: number;
}

/** Verifies a reading as the loyalty service does. Null unless one of our keys made it. */
export function verifyReading(url: string, keys: TagKeys): Reading | null {
  const { searchParams } = new URL(url);
  const keyVersion = searchParams.get('key_version') ?? '1';
  const [picc, mac] = ['picc_data', 'cmac'].map((name) => Buffer.from(searchParams.get(name) ?? '', 'hex'));
  const meta = keys.versions[keyVersion]?.meta;
  if (!meta || picc?.length !== 16 || mac?.length !== 8) return null;
  const plain = cbc(meta, factoryKey, { disablePadding: true }).decrypt(Uint8Array.from(picc));
  const [uid, counter] = [plain.slice(1, 8), plain.slice(8, 11)];
  const session = cmac(Uint8Array.of(0x3c, 0xc3, 0, 1, 0, 0x80, ...uid, ...counter), tagKey(keys, keyVersion, uid, 2));
  const expected = cmac(new Uint8Array(), session).filter((_, index) => index % 2 === 1);
  if (plain[0] !== 0xc7 || !timingSafeEqual(expected, mac)) return null;
  return { uid, keyVersion, counter: Buffer.from(counter).readUIntLE(0, 3) };
}
