import { randomUUID } from 'node:crypto';
import { directoryCustomer } from '@corner/contracts';
import { envelopeOf, erasedEvent, erasureBy, exportedBy } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { jobs } from '../service.ts';
import { insertDevice } from '../wallet/tables/passes.ts';
import { newDevice, startWalletTestbed, type WalletTestbed } from '../wallet/testing/testbed.ts';

let testbed: WalletTestbed;
beforeAll(async () => {
  testbed = await startWalletTestbed();
});
afterAll(async () => await testbed[Symbol.asyncDispose]());

const named = (id: string, version: number) =>
  envelopeOf(
    directoryCustomer,
    { id, version, name: 'Zed', email: 'zed@example.com' },
    { aggregateId: id, sequence: version, customerId: id },
  );
const finish = () => jobs.finishErasures?.run(testbed.running.service.context);

test('a customer is exported, then erased: passes are shown as void, and deleted a day after with their phones', async () => {
  const { running } = testbed;
  const guest = await testbed.guest();
  const id = guest.customerId;
  await testbed.publish(named(id, 1), guest.stamp(1, 1), guest.voucher(2, randomUUID()));
  const [{ serial }] = (await guest.passes()) as [{ serial: string }];
  const phone = newDevice();
  await insertDevice(running.service.database, { ...phone, serial }, testbed.clock.now());
  await testbed.advance(2);
  const exported = await exportedBy(running, 'notifications', id);
  expect(exported).toMatchObject({ addresses: [{ name: 'Zed', email: 'zed@example.com' }] });
  expect(exported['passes in wallets']?.length).toBeGreaterThan(0);

  await testbed.publish(erasedEvent(id));
  expect(await erasureBy(running, 'notifications', id)).toMatchObject({ isDone: false });
  await testbed.advance(2);
  await finish();
  const states = () =>
    running.service.database.anyFirst(sql.type(z.object({ voided: z.boolean() }))`
      select voided_at is not null as voided from pass where customer_id = ${id}`);
  expect(await states()).toContain(true);
  await testbed.publish(named(id, 9), guest.stamp(3, 2));
  testbed.clock.advance({ hours: 25 });
  await finish();
  expect(await states()).toEqual([]);
  expect(await erasureBy(running, 'notifications', id)).toMatchObject({ isDone: true });
  expect(await exportedBy(running, 'notifications', id)).toEqual({});
});

test('of a customer without passes no voucher is left, and a repeat reports nothing that was done before', async () => {
  const { running } = testbed;
  const { customerId: id, stamp, voucher } = await testbed.guest();
  await testbed.publish(named(id, 1), stamp(1, 1), voucher(2, randomUUID()));
  for (const sequence of [1, 2]) await testbed.publish(erasedEvent(id, sequence));
  expect(await erasureBy(running, 'notifications', id)).toEqual({
    isDone: true,
    steps: ['Name, e-mail address, phone number and devices were deleted.', '2 messages were deleted or not sent.'],
  });
  for (const table of ['pass_card', 'pass_voucher', 'message']) expect(await running.tablesWith(id)).not.toContain(table);
});
