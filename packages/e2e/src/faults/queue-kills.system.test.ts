import { test } from '@jest/globals';
import { expectUsualCourse } from '../testing/queue-scenario.ts';
import { sharedEnvironment } from '../testing/test-environment.ts';

test('kill -9 of queue before each step loses nothing and does nothing twice', async () => {
  const environment = await sharedEnvironment('required', { spawned: true });
  const process = environment.system.services.queue;
  let back: Promise<unknown> = Promise.resolve();
  await expectUsualCourse(environment, async () => {
    await back;
    process.kill();
    await process.exited;
    back = process.restart();
  });
  await back;
});
