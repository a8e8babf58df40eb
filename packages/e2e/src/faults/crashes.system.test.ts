import { beforeAll, describe, test } from '@jest/globals';
import { cancelsDespiteCrash, completesDespiteCrashes } from '../testing/crashes.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { cancelCrashes, otherCrashes } from './crash-points.ts';

let environment: TestEnvironment;

beforeAll(async () => {
  environment = await sharedEnvironment();
});

describe('one order', () => {
  test.each(otherCrashes.map((order) => [order.service, order.points.join(', then '), order] as const))(
    'an order during which %s crashes at %s loses nothing and does nothing twice',
    async (_service, _points, order) => {
      await completesDespiteCrashes(environment, order);
    },
  );
});

test.each(cancelCrashes.slice(1))(
  'a crash at %s, while a payment comes, ends in a cancelled order whose payment went back once',
  async (point) => {
    await cancelsDespiteCrash(environment, point);
  },
);
