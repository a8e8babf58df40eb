import { timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { cbc, cmac } from '@noble/ciphers/aes.js';

export type Transceive = (command: Uint8Array) => Promise<Uint8Array>;

export class ChipRefused extends Error {
  override readonly name = 'ChipRefused';
}

const meanings: Readonly<Record<string, string>> = {
  '911c': 'it does not know the command',
  '911e': 'a key, a MAC or a checksum is wrong',
  '917e': 'the length is wrong',
  '919d': 'the key has no right to this',
  '919e': 'a setting is not allowed',
  '91ad': 'it delays authentication after too many wrong keys: leave it on the reader for some minutes, then run this again',
  '91ae': 'the key is wrong',
};

const refusal = (command: string, status: string): ChipRefused =>
  new ChipRefused(`${command} was refused with ${status}${meanings[status] ? `: ${meanings[status]}` : ''}`);

interface Response {
  readonly data: Uint8Array;
  readonly status: string;
}

async function send(card: Transceive, command: Uint8Array): Promise<Response> {
  const response = await card(command);
  return { data: response.slice(0, -2), status: Buffer.from(response.slice(-2)).toString('hex') };
}

export async function sendIso(card: Transceive, name: string, command: readonly number[]): Promise<Uint8Array> {
  const { data, status } = await send(card, Uint8Array.from(command));
  if (status !== '9000') throw refusal(name, status);
  return data;
}

export async function sendPlain(card: Transceive, name: string, code: number, data: Uint8Array, expected = '9100'): Promise<Uint8Array> {
  const response = await sendNative(card, code, data);
  if (response.status !== expected) throw refusal(name, response.status);
  return response.data;
}

const sendNative = async (card: Transceive, code: number, data: Uint8Array): Promise<Response> =>
  await send(card, Uint8Array.of(0x90, code, 0, 0, ...(data.length > 0 ? [data.length, ...data] : []), 0));

export interface SessionSecrets {
  readonly encryption: Uint8Array;
  readonly mac: Uint8Array;
  readonly transaction: Uint8Array;
  readonly counter: number;
}

export interface ChipSession {
  plain(name: string, code: number, data: Uint8Array): Promise<Uint8Array>;
  /** Sends a command with encrypted data and a MAC, and verifies the response's. `ends`: the chip ends the session and sends no MAC. */
  full(name: string, code: number, header: Uint8Array, data: Uint8Array, how?: { readonly ends?: boolean }): Promise<void>;
}

const zeros = new Uint8Array(16);
const whole = { disablePadding: true } as const;
const rotated = (bytes: Uint8Array): Uint8Array => Uint8Array.of(...bytes.slice(1), bytes[0] ?? 0);

const xor = (bytes: Uint8Array, other: Uint8Array): Uint8Array => bytes.map((byte, index) => byte ^ (other[index] ?? 0));

const truncated = (mac: Uint8Array): Uint8Array => mac.filter((_, index) => index % 2 === 1);

/**
 * Authenticates by AuthenticateEV2First; `random` is 16 random bytes. Resolves to null when the chip refuses the key. Throws
 * {@link ChipRefused}, also when the chip does not prove that it knows the key.
 */
export async function authenticate(card: Transceive, number: number, key: Uint8Array, random: Uint8Array): Promise<ChipSession | null> {
  const name = `authentication with key ${number}`;
  const challenge = await sendPlain(card, name, 0x71, Uint8Array.of(number, 0), '91af');
  const theirs = cbc(key, zeros, whole).decrypt(challenge);
  const { data, status } = await sendNative(card, 0xaf, cbc(key, zeros, whole).encrypt(Uint8Array.of(...random, ...rotated(theirs))));
  if (status === '91ae') return null;
  if (status !== '9100') throw refusal(name, status);
  const proof = cbc(key, zeros, whole).decrypt(data);
  if (!timingSafeEqual(proof.slice(4, 20), rotated(random))) throw new ChipRefused(`${name}: the chip does not know the key`);
  // The first 2 bytes of ours, 6 of ours and theirs, 10 of theirs, and the last 8 of ours: the datasheet counts them from the other end.
  const input = Uint8Array.of(...random.slice(0, 2), ...xor(random.slice(2, 8), theirs), ...theirs.slice(6), ...random.slice(8));
  const derive = (...label: number[]) => cmac(Uint8Array.of(...label, 0, 1, 0, 0x80, ...input), key);
  return openSession(card, { encryption: derive(0xa5, 0x5a), mac: derive(0x5a, 0xa5), transaction: proof.slice(0, 4), counter: 0 });
}

export function openSession(card: Transceive, secrets: SessionSecrets): ChipSession {
  let { counter } = secrets;
  const count = () => [counter & 0xff, counter >> 8];
  const macOf = (code: number, data: Uint8Array) =>
    truncated(cmac(Uint8Array.of(code, ...count(), ...secrets.transaction, ...data), secrets.mac));
  const encrypted = (data: Uint8Array) => {
    const padded = new Uint8Array((Math.floor(data.length / 16) + 1) * 16);
    padded.set([...data, 0x80]);
    const label = Uint8Array.of(0xa5, 0x5a, ...secrets.transaction, ...count(), 0, 0, 0, 0, 0, 0, 0, 0);
    return cbc(secrets.encryption, cbc(secrets.encryption, zeros, whole).encrypt(label), whole).encrypt(padded);
  };
  return {
    async plain(name, code, data) {
      const response = await sendPlain(card, name, code, data);
      counter += 1;
      return response;
    },
    async full(name, code, header, data, { ends = false } = {}) {
      const body = Uint8Array.of(...header, ...encrypted(data));
      const response = await sendPlain(card, name, code, Uint8Array.of(...body, ...macOf(code, body)));
      counter += 1;
      if (ends) return;
      if (response.length !== 8 || !timingSafeEqual(response, macOf(0, new Uint8Array())))
        throw new ChipRefused(`${name}: the response is not the chip's`);
    },
  };
}

/** Sends ChangeKey in a session of key 0. The key of another number is sent against the old one, with a checksum. */
export async function changeKey(
  session: ChipSession,
  number: number,
  { from, to }: { readonly from: Uint8Array; readonly to: Uint8Array },
) {
  const version = 1;
  const checksum = new Uint8Array(4);
  // The chip's CRC32 lacks the last inversion.
  new DataView(checksum.buffer).setUint32(0, ~crc32(to) >>> 0, true);
  const data = number === 0 ? Uint8Array.of(...to, version) : Uint8Array.of(...xor(to, from), version, ...checksum);
  await session.full(`changing key ${number}`, 0xc4, Uint8Array.of(number), data, { ends: number === 0 });
}
