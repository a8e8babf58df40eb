import { stores } from '@corner/sandbox/demo';
import { type RefusalRun, unknownId } from './refusal-run.ts';

export async function refuseInQueue({ refused, done, newCustomer }: RefusalRun): Promise<void> {
  await refused('joinQueue', 'WALK_INS_NOT_ACCEPTED', { with: { store_id: stores.coffee.id } });
  for (const name of ['addQueueEntry', 'switchWalkIns'])
    await refused(name, 'WALK_INS_NOT_ACCEPTED', { with: { store_id: stores.coffee.id, open: true } });
  await refused('addQueueEntry', 'SERVICE_NOT_FOUND', { with: { service_id: unknownId } });
  await refused('addQueueEntry', 'UNIT_NOT_FOUND', { with: { chair_id: unknownId } });
  await refused('listQueueLog', 'INVALID_CURSOR', { with: { before: '999999999' } });
  await refused('joinQueue', 'SERVICE_NOT_FOUND', { with: { service_id: unknownId } });
  await refused('joinQueue', 'UNIT_NOT_FOUND', { with: { preferred_unit_id: unknownId } });
  const { entry_id } = await done('joinQueue');
  await refused('assignQueueEntry', 'UNIT_NOT_FOUND', { with: { entry_id, unit_id: unknownId } });
  for (const name of ['completeQueueEntry', 'noShowQueueEntry', 'reopenQueueEntry'])
    await refused(name, 'INVALID_TRANSITION', { with: { entry_id } });
  await done('joinQueue', { token: (await newCustomer()).token, with: { entry_id } });
  for (const name of ['assignQueueEntry', 'completeQueueEntry']) await done(name, { with: { entry_id } });
  for (const name of ['callQueueEntry', 'recallQueueEntry', 'assignQueueEntry', 'convertQueueEntry', 'confirmQueueEntry'])
    await refused(name, 'INVALID_TRANSITION', { with: { entry_id } });
}
