import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { judgeVersion, tested } from './tested-versions.ts';

test.each([
  ['nats', '2.9.9', /^not supported: .*2\.9\.10/],
  ['nats', '2.9.10', null],
  ['nats', '2.9.25', null],
  ['nats', '2.11.4', /^not tried: .*2\.15\.1/],
  ['nats', '2.15.7', null],
  ['nats', '3.0.0', /^not tried/],
  ['postgres', '17.9', /^not supported: .*18\.4/],
  ['postgres', '18.6', null],
  ['postgres', '19.1', /^not supported/],
] as const)('%s %s', (server, version, expected) => {
  const { supported, remark } = judgeVersion(server, version);
  if (expected === null) expect({ supported, remark }).toEqual({ supported: true, remark: null });
  else expect([remark, supported]).toEqual([expect.stringMatching(expected), !expected.source.startsWith('^not supported')]);
});

test.each(['nats', 'postgres'] as const)('the image of %s has a version that the tests run on', (server) => {
  const images = JSON.parse(readFileSync(`${import.meta.dirname}/../../../../deploy/images.json`, 'utf8'));
  expect(tested[server]).toContain(/:v?([\d.]+)/.exec(images[server])?.[1]);
});
