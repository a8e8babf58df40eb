import { globSync, readFileSync } from 'node:fs';
import { checkout } from '@corner/sandbox/system';
import { expect, test } from '@jest/globals';
import { cancelCrashes, deliveryCrash, otherCrashes, walkedCrashes, webhookCrash } from './crash-points.ts';

test('every crash point of the code is one at which a test lets a process die', () => {
  const sources = globSync(['services/*/src/**/*.ts', 'packages/chassis/src/**/*.ts'], { cwd: checkout, exclude: ['**/*.test.ts'] });
  const inCode = sources.flatMap((path) =>
    [...readFileSync(`${checkout}/${path}`, 'utf8').matchAll(/\bcrashPoint\('([^']+)'\)/g)].map(([, point]) => point),
  );
  const inTests = [...[...walkedCrashes, ...otherCrashes].flatMap(({ points }) => points), ...cancelCrashes, deliveryCrash, webhookCrash];
  expect([...new Set(inCode)].sort()).toEqual(inTests.sort());
});
