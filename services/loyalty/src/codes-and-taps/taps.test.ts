import { describe, expect, test } from '@jest/globals';
import { cmac as cmacOf } from '@noble/ciphers/aes.js';
import { tapOf, testKeys } from '../testing/tags.ts';
import { counterOf, diversifyKey, macOfTap, readTapData, sameMac, verifyProof } from './crypto.ts';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

const hex = (of: Uint8Array | undefined) =>
  Buffer.from(of ?? [])
    .toString('hex')
    .toUpperCase();

const ascii = (text: string) => Uint8Array.from(Buffer.from(text, 'ascii'));

const cmac = (key: Uint8Array, input: Uint8Array) => cmacOf(input, key);

const zero = new Uint8Array(16);

function read(picc: string, key = zero) {
  const data = readTapData(bytes(picc), key);
  if (!data) throw new Error('not read');
  return data;
}

describe('taps from published examples', () => {
  test('AN12196, page 12: PICCData that is decrypted and whose MAC signs no file data', () => {
    const data = read('EF963FF7828658A599F3041510671E88');
    expect([hex(data.uid), hex(data.counter), counterOf(data)]).toEqual(['04DE5F1EACC040', '3D0000', 61]);
    expect(hex(macOfTap(zero, data))).toBe('94EED9EE65337086');
    const session = cmac(zero, bytes('3CC30001008004DE5F1EACC0403D0000'));
    expect(hex(session)).toBe('3FB5F6E3A807A03D5E3570ACE393776F');
    expect(hex(cmac(session, new Uint8Array()))).toBe('E194C7EE12D9F7EE8A65C8331B704386');
  });

  test('AN12196, page 18: a MAC over file data differs from the MAC our tags send', () => {
    const data = read('FD91EC264309878BE6345CBE53BADF40');
    expect([hex(data.uid), counterOf(data)]).toEqual(['04958CAA5C5E80', 8]);
    expect(hex(cmac(zero, bytes('3CC30001008004958CAA5C5E80080000')))).toBe('3ED0920E5E6A0320D823D5987FEAFBB1');
    expect(hex(macOfTap(zero, data, ascii('CEE9A53E3E463EF1F459635736738962&cmac=')))).toBe('ECC1E7F6C6C73BF6');
    const ours = macOfTap(zero, data);
    expect(hex(ours)).toBe('FE4B5238A454BBC6');
    expect(sameMac(ours, bytes('ECC1E7F6C6C73BF6'))).toBe(false);
  });

  test('a tap with keys other than zero is read and its MAC verified', () => {
    const data = read('8ACADDEF0A9B62CDAE39A16B83FC14DE', bytes('42AFF114F2CB3B6141BE6DC95DFC5416'));
    expect([hex(data.uid), counterOf(data)]).toEqual(['041D3C8A2D6B80', 291]);
    const file = bytes('B62A9BAF092439BD43C62AEE96B970C5');
    expect(hex(macOfTap(file, data, ascii('B8436E11F627BB7F543FCC0C1E0D1A89')))).toBe('238B2543A8DEBAD8');
    expect(readTapData(bytes('8ACADDEF0A9B62CDAE39A16B83FC14DE'), zero)).toBeNull();
  });

  test('a tap mirrored in plain text, whose counter is written highest byte first, has the published MAC', () => {
    const plain = (uid: string, ctr: string) => ({ uid: bytes(uid), counter: bytes(ctr).reverse() });
    expect(hex(macOfTap(zero, plain('041E3C8A2D6B80', '000006')))).toBe('4B00064004B0B3D3');
    const tap = plain('04C767F2066180', '000001');
    expect(hex(macOfTap(zero, tap, ascii('ntag.nxp.com/424?uid=04C767F2066180&ctr=000001&c=')))).toBe('DB7537CE9176EC3C');
    const session = cmac(zero, bytes('3CC30001008004C767F2066180010000'));
    expect(hex(session)).toBe('0EC94BE3E0664FAF2BE300DFB16E1B66');
    const signed = cmac(session, ascii('ntag.nxp.com/424?uid=04C767F2066180&ctr=000001&c='));
    expect(hex(signed)).toBe('A1DBED758F37BACEF0916F7602EC913C');
  });

  test('the 24 bytes of an LRP tag are not read', () => {
    expect(readTapData(new Uint8Array(24), zero)).toBeNull();
  });
});

describe('the key of one tag', () => {
  const key = bytes('00112233445566778899AABBCCDDEEFF');

  test('has the value published in AN10922', () => {
    expect(hex(diversifyKey(key, bytes('04782E21801D803042F54E585020416275')))).toBe('A8DD63A3B89D54B37CA802473FDA9175');
  });

  test.each([
    [1, '281049D52ECBC8F60961993D34DE3D54'],
    [7, 'E8B7F67C78C34AF1446E331EF7E6D3FF'],
    [15, '5A3C7F6F0687F24F82DEE7EDA0970D08'],
    [16, 'FEED9FBD36CDB16819A72D30BCF9240B'],
    [31, '21C28CD89BB3147F66C7DBD4851CAB20'],
  ])('is derived from %i bytes, and equals a plain CMAC from 16 bytes on', (length, expected) => {
    const input = Uint8Array.from({ length }, (_, index) => index);
    expect(hex(diversifyKey(key, input))).toBe(expected);
    const plainCmac = hex(cmac(key, Uint8Array.of(1, ...input)));
    expect(plainCmac === expected).toBe(length >= 16);
  });

  test('cannot be derived from no bytes or from more than 31', () => {
    for (const length of [0, 32]) expect(() => diversifyKey(key, new Uint8Array(length))).toThrow(RangeError);
  });
});

describe('the proof of a tap', () => {
  const good = tapOf('04DE5F1EACC040', 70_000);

  test('verifies in upper and lower case', () => {
    const tap = { uid: '04DE5F1EACC040', counter: 70_000, keyVersion: '1' };
    expect(verifyProof(good, testKeys)).toEqual(tap);
    const upperCase = { ...good, piccData: good.piccData.toUpperCase(), cmac: good.cmac.toUpperCase() };
    expect(verifyProof(upperCase, testKeys)).toEqual(tap);
  });

  test('does not verify with any part of it changed', () => {
    const other = tapOf('04DE5F1EACC040', 70_001);
    const faulty = [
      { ...good, cmac: other.cmac },
      { ...good, piccData: other.piccData },
      { ...good, keyVersion: '2' },
      { ...good, keyVersion: 'none' },
      { ...good, cmac: good.cmac.slice(2) },
      { ...good, cmac: `${good.cmac.slice(2)}zz` },
      { ...good, piccData: `${good.piccData}00` },
      { ...good, piccData: '' },
      { ...good, piccData: '00'.repeat(24) },
      { piccData: 'FD91EC264309878BE6345CBE53BADF40', cmac: 'ECC1E7F6C6C73BF6', keyVersion: '1' },
    ];
    for (const proof of faulty) expect(verifyProof(proof, testKeys)).toBeNull();
  });
});
