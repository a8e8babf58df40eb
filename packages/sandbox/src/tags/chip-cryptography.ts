import { createCipheriv, createDecipheriv } from 'node:crypto';
import { cmac } from '@noble/ciphers/aes.js';

const zeros = Buffer.alloc(16);

export function encrypt(key: Buffer, data: Uint8Array, vector: Buffer = zeros): Buffer {
  const cipher = createCipheriv('aes-128-cbc', key, vector).setAutoPadding(false);
  return Buffer.concat([cipher.update(data), cipher.final()]);
}

export function decrypt(key: Buffer, data: Uint8Array, vector: Buffer = zeros): Buffer {
  const decipher = createDecipheriv('aes-128-cbc', key, vector).setAutoPadding(false);
  return Buffer.concat([decipher.update(data), decipher.final()]);
}

export const cmacOf = (key: Buffer, ...parts: readonly Uint8Array[]): Buffer => Buffer.from(cmac(Buffer.concat(parts), key));

export const shortMac = (key: Buffer, ...parts: readonly Uint8Array[]): Buffer =>
  Buffer.from(cmacOf(key, ...parts).filter((_, index) => index % 2 === 1));

export const turned = (bytes: Buffer): Buffer => Buffer.concat([bytes.subarray(1), bytes.subarray(0, 1)]);

export function checksum(data: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return crc >>> 0;
}

export interface Session {
  readonly key: number;
  readonly encryption: Buffer;
  readonly mac: Buffer;
  readonly transaction: Buffer;
  counter: number;
}

export function sessionOf(number: number, key: Buffer, theirs: Buffer, own: Buffer, transaction: Buffer): Session {
  const mixed = theirs.subarray(2, 8).map((byte, index) => byte ^ (own[index] ?? 0));
  const input = Buffer.concat([theirs.subarray(0, 2), mixed, own.subarray(6), theirs.subarray(8)]);
  const derive = (a: number, b: number) => cmacOf(key, Buffer.of(a, b, 0, 1, 0, 0x80), input);
  return { key: number, encryption: derive(0xa5, 0x5a), mac: derive(0x5a, 0xa5), transaction, counter: 0 };
}

const count = ({ counter }: Session): Buffer => Buffer.of(counter & 0xff, counter >> 8);

export function openCommand(session: Session, code: number, body: Buffer, headerLength: number): Buffer | null {
  const [signed, mac] = [body.subarray(0, -8), body.subarray(-8)];
  if (!shortMac(session.mac, Buffer.of(code), count(session), session.transaction, signed).equals(mac)) return null;
  const label = Buffer.concat([Buffer.of(0xa5, 0x5a), session.transaction, count(session), Buffer.alloc(8)]);
  const plain = decrypt(session.encryption, signed.subarray(headerLength), encrypt(session.encryption, label));
  const end = plain.lastIndexOf(0x80);
  return end < 0 || plain.subarray(end + 1).some(Boolean) ? null : plain.subarray(0, end);
}

export const responseMac = (session: Session): Buffer => shortMac(session.mac, Buffer.of(0), count(session), session.transaction);
