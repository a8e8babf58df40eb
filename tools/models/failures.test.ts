import { expect, test } from '@jest/globals';
import { failuresOf } from './failures.ts';

const file = (name: string, ...statuses: readonly [seed: number, status: string][]) => ({
  name: `/checkout/services/${name}/src/testing/model/${name}-model.system.test.ts`,
  status: statuses.every(([, status]) => status === 'passed') && statuses.length > 0 ? 'passed' : 'failed',
  assertionResults: statuses.map(([seed, status]) => ({ title: `places stay consistent (seed ${seed})`, status })),
});

test('a failure of a model names its seeds and the command that plays them again', () => {
  const testResults = [file('queue', [7, 'passed'], [8, 'failed']), file('orders', [7, 'passed'], [8, 'passed'])];
  expect(failuresOf({ testResults }, '/checkout', [7, 8])).toEqual([
    'services/queue/src/testing/model/queue-model.system.test.ts failed: MODEL_SEEDS=8 npm run jest -- queue-model',
  ]);
});

test('a model that ended before its first test failed with all seeds of the run', () => {
  expect(failuresOf({ testResults: [file('queue')] }, '/checkout', [7, 8])).toEqual([expect.stringContaining('MODEL_SEEDS=7,8 ')]);
});
