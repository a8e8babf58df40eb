import { randomUUID } from 'node:crypto';
import { people } from '@corner/sandbox/demo';
import type { RefusalRun } from './refusal-run.ts';

export async function refuseMoreADay({ refused, done, tokens, stores }: RefusalRun): Promise<void> {
  const { id: store_id } = stores.daily;
  const { full_message: code } = await done('generateStampCode', { with: { store_id } });
  await done('grantStamp', { with: { store_id } });
  await refused('grantStamp', 'DAILY_LIMIT_REACHED', { with: { store_id } });
  await refused('redeemStampCode', 'DAILY_LIMIT_REACHED', { token: tokens.ana, with: { code, expected_store_id: store_id } });
}

export async function refuseAfterChange(run: RefusalRun): Promise<void> {
  const { refused, done, tokens, session, newCustomer, stores, applyOddStores } = run;
  const { quota, ceiling, ending, chair } = stores;
  const another = await newCustomer();
  const codeOf = async (store_id: string) => (await done('generateStampCode', { with: { store_id } })).full_message;
  const [ofQuota, ofEnding] = [await codeOf(quota.id), await codeOf(ending.id)];
  for (const { id } of [quota, ceiling]) await done('requestMultiStamp', { with: { store_id: id } });
  const stamps = [{ receipt_id: randomUUID(), store_code: quota.code }];
  const { results } = await done('syncOfflineStamps', { with: { stamps } });
  const [{ stamp_id } = { stamp_id: '' }] = results as unknown as { stamp_id: string }[];
  const served = await joinedAndSeated(run);
  await done('completeQueueEntry', { with: { store_id: chair.id, entry_id: served } });
  const seated = await joinedAndSeated(run);
  await refused('reopenQueueEntry', 'NO_CAPACITY_TODAY', { with: { store_id: chair.id, entry_id: served } });
  await done('completeQueueEntry', { with: { store_id: chair.id, entry_id: seated } });
  const { entry_id } = await done('joinQueue', { with: { store_id: chair.id } });
  await applyOddStores('later');

  const redeem = (store_id: string, code?: string) => ({ token: tokens.ana, with: { code, expected_store_id: store_id } });
  const confirm = (store_code: string) => ({ with: { store_code, staff_secret: undefined, staff_token: session } });
  const ofAnother = (store_id: string) => ({ token: another.token, with: { store_id } });
  await refused('grantStamp', 'MONTHLY_LIMIT_REACHED', { with: { store_id: quota.id, customer_id: people.ana.id } });
  await refused('redeemStampCode', 'MONTHLY_LIMIT_REACHED', redeem(quota.id, ofQuota));
  await refused('reviewStamp', 'MONTHLY_LIMIT_REACHED', { with: { store_id: quota.id, stamp_id, action: 'approve' } });
  await refused('requestMultiStamp', 'MONTHLY_LIMIT_REACHED', ofAnother(quota.id));
  await refused('confirmMultiStamp', 'MONTHLY_LIMIT_REACHED', confirm(quota.code));
  await refused('requestMultiStamp', 'MULTI_STAMP_MONTHLY_CEILING', ofAnother(ceiling.id));
  await refused('confirmMultiStamp', 'MULTI_STAMP_MONTHLY_CEILING', confirm(ceiling.code));
  for (const name of ['generateStampCode', 'grantStamp']) await refused(name, 'LOYALTY_DISABLED', { with: { store_id: ending.id } });
  await refused('redeemStampCode', 'LOYALTY_DISABLED', redeem(ending.id, ofEnding));
  await refused('requestMultiStamp', 'MULTI_STAMP_DISABLED', { with: { store_id: ending.id } });
  for (const name of ['joinQueue', 'addQueueEntry']) await refused(name, 'NO_CAPACITY_TODAY', { with: { store_id: chair.id } });
  await refused('assignQueueEntry', 'NO_CAPACITY_TODAY', { with: { store_id: chair.id, entry_id } });
}

async function joinedAndSeated({ done, stores }: RefusalRun): Promise<string | undefined> {
  const { entry_id } = await done('joinQueue', { with: { store_id: stores.chair.id } });
  await done('assignQueueEntry', { with: { store_id: stores.chair.id, entry_id } });
  return entry_id;
}
