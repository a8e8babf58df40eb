import { type ServiceName, services } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkAtRest } from '../testing/checker.ts';
import { complaintsOf } from '../testing/complaints.ts';
import { runReleaseScenarios } from '../testing/release-scenarios.ts';
import { released, releasesIn } from '../testing/run-releases.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

// The schemas are those of this checkout throughout: released code runs on them as it would in the middle of a deployment.
let environment: TestEnvironment;
let runReleased: (wanted: readonly ServiceName[]) => Promise<void>;

beforeAll(async () => {
  environment = await startTestEnvironment({ LOG_LEVEL: 'warn' });
  runReleased = releasesIn(environment);
});
afterAll(async () => {
  await environment?.[Symbol.asyncDispose]();
});

const others = (service: ServiceName): readonly ServiceName[] => services.filter((other) => other !== service);

/** A service that does not become ready says why after five minutes. */
const timeoutMs = 600_000;

test.each([
  ...services.map((service) => [`${released([service])} works beside the current code of the others`, [service]] as const),
  ...services.map((service) => [`the current code of ${service} works beside ${released(others(service))}`, others(service)] as const),
])(
  '%s',
  async (sentence, wanted) => {
    try {
      await runReleased(wanted);
      await runReleaseScenarios(environment);
      expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
    } catch (error) {
      throw new Error(`it is not true that ${sentence}:\n${await complaintsOf(environment)}`, { cause: error });
    }
  },
  timeoutMs,
);
