import { type RequiredService, requiredServices } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkAtRest } from '../testing/checker.ts';
import { complaintsOf } from '../testing/complaints.ts';
import { runReleaseScenarios } from '../testing/release-scenarios.ts';
import { releasesIn, waitingWith } from '../testing/run-releases.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

/** The services that run their last release at once. Each service is in two of these, and no two services are in the same two. */
const arrangements: readonly (readonly RequiredService[])[] = [
  ['orders', 'loyalty'],
  ['orders', 'queue'],
  ['loyalty', 'notifications'],
  ['queue', 'notifications'],
];

// The schemas are this checkout's throughout: released code runs on them in the middle of a deployment.
let environment: TestEnvironment;
let runReleased: (wanted: readonly RequiredService[]) => Promise<void>;

beforeAll(async () => {
  environment = await sharedEnvironment();
  runReleased = releasesIn(environment);
});
afterAll(async () => {
  await runReleased?.([]);
});

async function expectToWork(released: readonly RequiredService[]): Promise<void> {
  try {
    await runReleased(released);
    await runReleaseScenarios(environment);
    expect(await checkAtRest(environment.system, environment.history, waitingWith(released))).toEqual([]);
  } catch (error) {
    const sentence = `releases of ${released.join(', ')} do not work beside the checkout’s code of the others`;
    throw new Error(`${sentence}:\n${await complaintsOf(environment)}`, { cause: error });
  }
}

test('each service runs its last release beside the current code of each other', () => {
  const pairs = requiredServices.flatMap((old) => requiredServices.filter((other) => other !== old).map((other) => [old, other] as const));
  expect(pairs.filter(([old, other]) => !arrangements.some((released) => released.includes(old) && !released.includes(other)))).toEqual([]);
});

test.each(arrangements.map((released) => ({ released })))(
  'the last releases of $released work beside the current code of the others',
  ({ released }) => expectToWork(released),
);

test('the current code of all has every effect of what happened beside the last releases', () => expectToWork([]));
