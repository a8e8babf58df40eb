import { randomBytes } from 'node:crypto';
import {
  checksum,
  cmacOf,
  decrypt,
  encrypt,
  openCommand,
  responseMac,
  type Session,
  sessionOf,
  shortMac,
  turned,
} from './chip-cryptography.ts';

export interface SimulatedChip {
  /** The response has two status bytes. Shares no code with the writer of tags or the verifier of taps. */
  answer(command: Uint8Array): Uint8Array;
  tap(): string | null;
}

export const simulateChip = (uid: string, random: (length: number) => Buffer = randomBytes): SimulatedChip =>
  new Chip(Buffer.from(uid, 'hex'), random);

class Refusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(status.toString(16));
    this.status = status;
  }
}

const none = Buffer.alloc(0);
const status = { ok: 0x9100, more: 0x91af, length: 0x917e, integrity: 0x911e, right: 0x919d, setting: 0x919e, wrongKey: 0x91ae } as const;
const wrongKeysBeforeDelay = 50;

class Chip implements SimulatedChip {
  readonly #uid: Buffer;
  readonly #random: (length: number) => Buffer;
  readonly #keys: Buffer[] = Array.from({ length: 5 }, () => Buffer.alloc(16));
  readonly #file = Buffer.alloc(256);
  /** As ChangeFileSettings takes them: plain, no SDM; anyone reads and writes, key 0 changes them. */
  #settings: Buffer = Buffer.of(0, 0xe0, 0xee);
  #taps = 0;
  #wrongKeys = 0;
  #selected: 'none' | 'application' | 'file' = 'none';
  #session: Session | null = null;
  #begun: { readonly key: number; readonly random: Buffer } | number | null = null;

  constructor(uid: Buffer, random: (length: number) => Buffer) {
    this.#uid = uid;
    this.#random = random;
  }

  answer(given: Uint8Array): Uint8Array {
    const command = Buffer.from(given);
    try {
      const [data, code] = command[0] === 0x90 ? this.#answerNative(command) : [this.#answerIso(command), 0x9000];
      return Uint8Array.of(...data, code >> 8, code & 0xff);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#session = null;
      return Uint8Array.of(error.status >> 8, error.status & 0xff);
    }
  }

  tap(): string | null {
    for (const select of ['00a4040c07d276000085010100', '00a4000c02e10400']) this.answer(Buffer.from(select, 'hex'));
    const read = Buffer.from(this.answer(Buffer.from('00b0000000', 'hex')));
    const length = read.readUInt16BE(0);
    return length > 5 ? `https://${read.subarray(7, 2 + length).toString('latin1')}` : null;
  }

  #answerIso(command: Buffer): Buffer {
    this.#begun = null;
    const [, code, kind, , length = 0] = command;
    if (code === 0xa4) return this.#select(kind === 4, command.subarray(5, 5 + length).toString('hex'));
    if (code !== 0xb0) throw new Refusal(0x6d00);
    if (this.#selected !== 'file' || !this.#may('read')) throw new Refusal(0x6982);
    return this.#readMirrored().subarray(0, length || 256);
  }

  #select(byName: boolean, name: string): Buffer {
    this.#session = null;
    if (byName && name === 'd2760000850101') this.#selected = 'application';
    else if (this.#selected !== 'none' && name === 'e104') this.#selected = 'file';
    else throw new Refusal(0x6a82);
    return none;
  }

  #answerNative(command: Buffer): readonly [Buffer, number] {
    const [begun, code, body] = [this.#begun, command[1], command.length > 5 ? command.subarray(5, -1) : none];
    this.#begun = null;
    if (this.#selected === 'none') throw new Refusal(status.right);
    if (code === 0x60) return this.#version(0);
    if (code === 0xaf && typeof begun === 'number') return this.#version(begun);
    if (code === 0xaf && begun !== null && typeof begun !== 'number') return [this.#authenticate(begun, body), status.ok];
    if (code === 0x71) return [this.#challenge(body), status.more];
    if (code === 0xf5) return [this.#readSettings(), status.ok];
    if (code === 0x5f) return [this.#changeSettings(body), status.ok];
    if (code === 0xc4) return [this.#changeKey(body), status.ok];
    if (code === 0xad) return [this.#read(body), status.ok];
    if (code === 0x8d) return [this.#write(body), status.ok];
    throw new Refusal(0x911c);
  }

  #version(part: number): readonly [Buffer, number] {
    const hardware = Buffer.of(4, 4, 2, 0x30, 0, 0x11, 5);
    if (part === 2) return [Buffer.concat([this.#uid, Buffer.alloc(7)]), status.ok];
    this.#begun = part + 1;
    return [hardware, status.more];
  }

  #keyAt(number: number | undefined): Buffer {
    const key = this.#keys[number ?? 15];
    if (!key) throw new Refusal(0x9140);
    return key;
  }

  #challenge(body: Buffer): Buffer {
    const key = this.#keyAt(body[0]);
    if (this.#wrongKeys >= wrongKeysBeforeDelay) throw new Refusal(0x91ad);
    this.#session = null;
    const random = this.#random(16);
    this.#begun = { key: body[0] ?? 0, random };
    return encrypt(key, random);
  }

  #authenticate({ key: number, random }: { readonly key: number; readonly random: Buffer }, body: Buffer): Buffer {
    if (body.length !== 32) throw new Refusal(status.length);
    const key = this.#keyAt(number);
    const plain = decrypt(key, body);
    if (!plain.subarray(16).equals(turned(random))) {
      this.#wrongKeys += 1;
      throw new Refusal(status.wrongKey);
    }
    this.#wrongKeys = 0;
    const theirs = plain.subarray(0, 16);
    this.#session = sessionOf(number, key, theirs, random, this.#random(4));
    return encrypt(key, Buffer.concat([this.#session.transaction, turned(theirs), Buffer.alloc(12)]));
  }

  #may(what: 'change' | 'write' | 'read'): boolean {
    const [low = 0, high = 0] = this.#settings.subarray(1);
    const rights = { change: [low & 15], write: [high & 15, low >> 4], read: [high >> 4, low >> 4] }[what];
    return rights.some((right) => right === 14 || right === this.#session?.key);
  }

  #open(code: number, body: Buffer): readonly [Session, Buffer] {
    if (!this.#session) throw new Refusal(status.right);
    if (body.length < 25) throw new Refusal(status.length);
    const data = openCommand(this.#session, code, body, 1);
    if (!data) throw new Refusal(status.integrity);
    this.#session.counter += 1;
    return [this.#session, data];
  }

  #readSettings(): Buffer {
    return Buffer.concat([Buffer.of(0), this.#settings.subarray(0, 3), Buffer.of(0, 1, 0), this.#settings.subarray(3)]);
  }

  #changeSettings(body: Buffer): Buffer {
    const [session, data] = this.#open(0x5f, body);
    if (!this.#may('change')) throw new Refusal(status.right);
    if (body[0] !== 2 || data.length !== 15) throw new Refusal(status.setting);
    if (data.readUIntLE(6, 3) + 32 > this.#file.length || data.readUIntLE(12, 3) + 16 > this.#file.length)
      throw new Refusal(status.setting);
    this.#taps = 0;
    this.#settings = data;
    return responseMac(session);
  }

  #changeKey(body: Buffer): Buffer {
    const [session, data] = this.#open(0xc4, body);
    const number = body[0] ?? 15;
    const old = this.#keyAt(number);
    if (session.key !== 0) throw new Refusal(status.right);
    if (data.length !== (number === 0 ? 17 : 21)) throw new Refusal(status.length);
    const fresh = Buffer.from(data.subarray(0, 16).map((byte, index) => (number === 0 ? byte : byte ^ (old[index] ?? 0))));
    if (number !== 0 && checksum(fresh) !== data.readUInt32LE(17)) throw new Refusal(status.integrity);
    this.#keys[number] = fresh;
    if (number !== 0) return responseMac(session);
    this.#session = null;
    return none;
  }

  #range(body: Buffer): readonly [number, number] {
    const [offset, length] = [body.readUIntLE(1, 3), body.readUIntLE(4, 3)];
    if (body[0] !== 2 || offset + length > this.#file.length) throw new Refusal(0x91be);
    return [offset, offset + length];
  }

  #read(body: Buffer): Buffer {
    const range = this.#range(body);
    if (!this.#may('read')) throw new Refusal(status.right);
    if (this.#session) this.#session.counter += 1;
    return this.#readMirrored().subarray(...range);
  }

  #write(body: Buffer): Buffer {
    const [from, to] = this.#range(body);
    if (!this.#may('write')) throw new Refusal(status.right);
    if (body.length !== 7 + to - from) throw new Refusal(status.length);
    if (this.#session) this.#session.counter += 1;
    body.copy(this.#file, from, 7);
    return none;
  }

  #mirrors(): boolean {
    return ((this.#settings[0] ?? 0) & 0x40) !== 0;
  }

  #readMirrored(): Buffer {
    const copy = Buffer.from(this.#file);
    if (this.#session || !this.#mirrors()) return copy;
    this.#taps += 1;
    const [keys = 0, picc, from, at] = [this.#settings[5], ...[6, 9, 12].map((offset) => this.#settings.readUIntLE(offset, 3))];
    const data = Buffer.concat([this.#uid, Buffer.of(this.#taps & 0xff, (this.#taps >> 8) & 0xff, this.#taps >> 16)]);
    const hidden = encrypt(this.#keyAt(keys >> 4), Buffer.concat([Buffer.of(0xc7), data, this.#random(5)]));
    copy.write(hidden.toString('hex').toUpperCase(), picc ?? 0, 'latin1');
    const ofTap = cmacOf(this.#keyAt(keys & 15), Buffer.of(0x3c, 0xc3, 0, 1, 0, 0x80), data);
    copy.write(shortMac(ofTap, copy.subarray(from, at)).toString('hex').toUpperCase(), at ?? 0, 'latin1');
    return copy;
  }
}
