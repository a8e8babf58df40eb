import { test } from '@jest/globals';
import { expectUsualCourse } from '../testing/queue-scenario.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';

test('a guest and a customer pass through the queue by calls through the gateway', async () => {
  await expectUsualCourse(await sharedEnvironment());
});
