import { type Caller, derivedUuid, type Operation } from '@corner/chassis';
import { type notifications as contracts, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { notifyStore } from '../messages/index.ts';
import { batchSize, isQuiet, resultDays } from './rules.ts';
import {
  claimSending,
  countAudience,
  findCampaign,
  findSending,
  insertCampaign,
  listCampaigns as list,
  settleRecipients,
  writeBatch,
} from './tables.ts';
import { stepCampaign } from './transactions.ts';

/** Writes a draft, and counts whom it would go to. A repeat after a crash finds what its Idempotency-Key has made. */
export const makeCampaign: Operation<typeof contracts.makeCampaign, Context> = async (
  { params, body, caller, idempotencyKey },
  { database, now, newId },
) => {
  const { store_id: storeId } = params;
  const id = idempotencyKey === undefined ? newId() : derivedUuid(`campaign:${caller.id}:${idempotencyKey}`);
  const campaign = { id, storeId, ...body, by: byOf(caller) };
  const known = await database.transaction((tx) => insertCampaign(tx, campaign));
  if (!known) throw new Problem('STORE_NOT_FOUND');
  return { ...(await replyOf(database, storeId, id)), audience_count: await countAudience(database, storeId, body.audience, now()) };
};

const mostListed = 50;

export const listCampaigns: Operation<typeof contracts.listCampaigns, Context> = async ({ params }, { database }) => {
  const found = await list(database, params.store_id, { limit: mostListed, resultDays });
  if (!found) throw new Problem('STORE_NOT_FOUND');
  return found;
};

/** Sends a campaign to the contacts of the store. */
export const testCampaign: Operation<typeof contracts.testCampaign, Context> = async ({ params }, { database, newId, messageSignal }) => {
  const { store_id: storeId, campaign_id: id } = params;
  const campaign = await findCampaign(database, storeId, id, resultDays);
  if (!campaign) throw new Problem('CAMPAIGN_NOT_FOUND');
  const { title, body } = campaign;
  const occasion = newId();
  const content = { template: 'store.campaign_test', data: { title, body }, topic: `campaign-test:${occasion}`, expiresAt: null } as const;
  const messages = await database.transaction((tx) => notifyStore(tx, { id: occasion, sequence: 1, storeId }, content, messageSignal));
  return { messages };
};

export const sendCampaign: Operation<typeof contracts.sendCampaign, Context> = async ({ params }, { database }) => {
  await database.transaction((tx) => stepCampaign(tx, { storeId: params.store_id, id: params.campaign_id, step: 'send' }));
  return await replyOf(database, params.store_id, params.campaign_id);
};

export const stopCampaign: Operation<typeof contracts.stopCampaign, Context> = async ({ params }, { database }) => {
  await database.transaction((tx) => stepCampaign(tx, { storeId: params.store_id, id: params.campaign_id, step: 'stop' }));
  return await replyOf(database, params.store_id, params.campaign_id);
};

async function replyOf(database: Context['database'], storeId: string, id: string) {
  const campaign = await findCampaign(database, storeId, id, resultDays);
  if (!campaign) throw new Problem('CAMPAIGN_NOT_FOUND');
  return { campaign };
}

const byOf = ({ id, name }: Caller) => ({ id, name });

/** Writes the next messages of each campaign that is being sent, where it is not a quiet hour at the store. */
export async function writeCampaigns({ database, now, messageSignal }: Context): Promise<void> {
  for (const { id, time_zone } of await findSending(database, now())) {
    if (isQuiet(now(), time_zone)) continue;
    const written = await database.transaction(async (tx) => {
      const campaign = await claimSending(tx, id);
      return campaign ? (await writeBatch(tx, campaign, batchSize)).written : 0;
    });
    if (written > 0) messageSignal.raise();
  }
}

/** Counts what became of campaigns. */
export const settleCampaigns = ({ database, now }: Context): Promise<void> => settleRecipients(database, now(), resultDays);
