import { demoDirectory } from '@corner/sandbox/demo';
import { expect, test } from '@jest/globals';
import { findLooseSettings } from './check-directory.ts';
import { parseDirectory } from './parse-directory.ts';

const store_id = '0190a000-0000-7000-8000-000000000001';
const loose = (programme: object) => findLooseSettings(parseDirectory({ programmes: [{ store_id, ...programme }] }));

test('each loose setting of a programme is named by its place, and what it means', () => {
  const found = loose({ codes_without_proof: 'count', multi_stamp: { staff_card_without_tap: 'accept' } });
  expect(found).toEqual([
    expect.stringMatching(/^programmes\[0\]\.codes_without_proof: .+ from anywhere/),
    expect.stringMatching(/^programmes\[0\]\.multi_stamp\.staff_card_without_tap: .+ their own stamps/),
  ]);
});

test('neither the defaults nor a card for requests that are switched off is loose, nor anything of the demo', () => {
  expect(loose({})).toEqual([]);
  expect(loose({ multi_stamp: { enabled: false, staff_card_without_tap: 'accept' } })).toEqual([]);
  expect(findLooseSettings(parseDirectory(demoDirectory(new Date('2026-07-14T12:00:00Z'))))).toEqual([]);
});
