import { beforeAll, expect, test } from '@jest/globals';
import { cancelCrashes, deliveryCrash, walkedCrashes } from '../faults/crash-points.ts';
import { barberOf, calledTitle } from '../testing/barber.ts';
import { checkAtRest } from '../testing/checker.ts';
import { cancelsDespiteCrash, completesDespiteCrashes } from '../testing/crashes.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;

beforeAll(async () => {
  environment = await sharedEnvironment();
});

test.each(walkedCrashes.map((order) => [order.service, order.points.join(', then '), order] as const))(
  'an order during which %s crashes at %s loses nothing and does nothing twice',
  async (_service, _points, order) => {
    await completesDespiteCrashes(environment, order);
  },
);

test(`a crash at ${cancelCrashes[0]}, while a payment comes, ends in a cancelled order whose payment went back once`, async () => {
  await cancelsDespiteCrash(environment, cancelCrashes[0]);
});

test('a crash of notifications after sending and before recording it: the message arrives twice with one id', async () => {
  const barber = barberOf(environment);
  const [customerId = ''] = await barber.newCustomers(1);
  const { move } = await barber.join(customerId);
  const { notifications } = environment.system.services;
  await notifications.restart({ env: { CRASH_AT: deliveryCrash } });
  await move('call');
  expect(await notifications.exited).toMatchObject({ signal: 'SIGKILL' });
  expect(await barber.titles(customerId)).toEqual([calledTitle]);
  await barber.expireLeases();
  await notifications.restart();
  await barber.untilLastMessage(customerId, { state: 'sent', attempts: 1 });
  const copies = await barber.received(customerId);
  expect(copies).toHaveLength(2);
  expect(new Set(copies.map(({ data, collapseKey }) => `${data.message_id} ${collapseKey}`)).size).toBe(1);
  await move('no-show');
  expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
});
