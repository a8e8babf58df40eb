import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stores } from '@corner/sandbox/demo';
import { afterAll, expect, test } from '@jest/globals';
import { Failure } from '../../screen/failure.ts';
import { tap } from './tap.ts';

const data = mkdtempSync(join(tmpdir(), 'corner-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

const at = { data, store: 's1' };

test('a tap is a request body for the store’s stamp codes, and each tap differs', () => {
  const first = tap(at, {});
  expect(first).toEqual({
    store_id: stores.coffee.id,
    nfc_picc_data: expect.stringMatching(/^[0-9A-F]{32}$/),
    nfc_cmac: expect.stringMatching(/^[0-9A-F]{16}$/),
    nfc_key_version: '1',
  });
  expect(tap(at, {}).nfc_cmac).not.toBe(first.nfc_cmac);
});

test('the MAC depends on the tag, the counter and the keys, and a replay repeats the last tap exactly', () => {
  const third = tap({ ...at, counter: 3 }, {});
  expect(tap({ ...at, replay: true }, {})).toEqual(third);
  expect(tap({ ...at, counter: 3 }, {})).toMatchObject({ nfc_cmac: third.nfc_cmac });
  expect(tap({ ...at, tag: '04c0ffee000002', counter: 3 }, {}).nfc_cmac).not.toBe(third.nfc_cmac);
  const own = { NFC_KEYS: JSON.stringify({ '1': { meta: '11'.repeat(16), master: '12'.repeat(16) } }) };
  expect(tap({ ...at, counter: 3 }, own).nfc_cmac).not.toBe(third.nfc_cmac);
});

test('--counter with a lower number does not reset the tag’s counter', () => {
  const tag = '04C0FFEE000003';
  const readings = [tap({ ...at, tag }, {}), tap({ ...at, tag }, {}), tap({ ...at, tag, counter: 1 }, {}), tap({ ...at, tag }, {})];
  const [first, , again, third] = readings.map(({ nfc_cmac }) => nfc_cmac);
  expect(again).toBe(first);
  expect(third).toBe(tap({ ...at, tag, counter: 3 }, {}).nfc_cmac);
});

test.each([
  ['an unknown store', { ...at, store: 'S9' }, {}, /no store has the code S9/],
  ['an invalid UID', { ...at, tag: '04C0' }, {}, /not the UID/],
  ['a store without a tag in the demo', { ...at, store: 'S2' }, {}, /has no tag at this store/],
  ['a replay before the first tap', { ...at, tag: '04C0FFEE0000FF', replay: true as const }, {}, /not been tapped yet/],
  ['production', at, { NODE_ENV: 'production' }, /production/],
])('corner tap fails for %s', (_, options, env, why) => {
  expect(() => tap(options, env)).toThrow(Failure);
  expect(() => tap(options, env)).toThrow(why);
});
