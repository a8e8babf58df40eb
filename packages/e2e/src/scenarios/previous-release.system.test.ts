import { type RequiredService, requiredServices } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkAtRest } from '../testing/checker.ts';
import { complaintsOf } from '../testing/complaints.ts';
import { runReleaseScenarios } from '../testing/release-scenarios.ts';
import { everyServiceReleased, makeReleases, releasesIn } from '../testing/run-releases.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

const others = (service: RequiredService): readonly RequiredService[] => requiredServices.filter((other) => other !== service);

// The schemas are this checkout's throughout: released code runs on them in the middle of a deployment.
let environment: TestEnvironment;
let runReleased: (wanted: readonly RequiredService[]) => Promise<void>;

beforeAll(async () => {
  environment = await sharedEnvironment();
  runReleased = releasesIn(environment, everyServiceReleased ? undefined : await makeReleases(`${environment.folder}/made`));
});
afterAll(async () => {
  await runReleased?.([]);
});

async function expectToWork(released: readonly RequiredService[]): Promise<void> {
  try {
    await runReleased(released);
    await runReleaseScenarios(environment);
    expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
  } catch (error) {
    const sentence = `releases of ${released.join(', ')} do not work beside the checkout’s code of the others`;
    throw new Error(`${sentence}:\n${await complaintsOf(environment)}`, { cause: error });
  }
}

(everyServiceReleased ? describe : describe.skip)(
  `the last releases${everyServiceReleased ? '' : ', which not every service has yet,'}`,
  () => {
    test.each(requiredServices)('that of %s works beside the current code of the others', (service) => expectToWork([service]));
    test.each(requiredServices)('those of the others work beside the current code of %s', (service) => expectToWork(others(service)));
  },
);

// Before the first release, releases made of this checkout test that released code is packed whole, unpacked and run.
(everyServiceReleased ? test.skip : test)('releases made of this checkout work in place of its code', () => expectToWork(requiredServices));
