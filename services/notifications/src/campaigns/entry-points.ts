import { type Caller, derivedUuid, type Operation } from '@corner/chassis';
import { type notifications as contracts, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { notifyStore } from '../messages/index.ts';
import { isQuiet, lookedAtOnce, quietFrom, resultDays } from './rules.ts';
import {
  claimSending,
  countAudience,
  findCampaign,
  findSending,
  findZones,
  insertCampaign,
  listCampaigns as list,
  writeBatch,
} from './tables/campaigns.ts';
import { findCounted, keepResults, settleRecipients } from './tables/results.ts';
import { stepCampaign } from './transactions.ts';

/** A repeat after a crash finds the draft by its Idempotency-Key. */
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

/**
 * Writes the next messages of the campaigns in time zones without quiet hours. They share one limit of customers for each run. A failed
 * campaign does not stop the others.
 */
export async function writeCampaigns({ database, now, log }: Context): Promise<void> {
  const zones = (await findZones(database, now())).filter((zone) => !isQuiet(now(), zone));
  if (zones.length === 0) return;
  const sending = await findSending(database, { now: now(), zones, limit: lookedAtOnce });
  const batchSize = Math.floor(lookedAtOnce / Math.max(1, sending.length));
  for (const { id, time_zone } of sending) {
    try {
      await database.transaction(async (tx) => {
        const campaign = await claimSending(tx, id);
        if (campaign) await writeBatch(tx, campaign, { batchSize, expiresAt: quietFrom(tx.now, time_zone) });
      });
    } catch (fault) {
      log.error({ err: fault, campaign_id: id }, 'the next messages of a campaign were not written: they are tried again');
    }
  }
}

/** Customers settled by one statement: few, so that no other statement waits long for it. */
const settledAtOnce = 1_000;

export async function settleCampaigns({ database, now }: Context): Promise<void> {
  for (const id of await findCounted(database, now())) {
    for (let after: string | null = firstId; after !== null; ) {
      const { looked_at, last } = await settleRecipients(database, { id, after, limit: settledAtOnce, resultDays });
      after = looked_at === settledAtOnce ? last : null;
    }
    await keepResults(database, { id, now: now(), resultDays });
  }
}

const firstId = '00000000-0000-0000-0000-000000000000';
