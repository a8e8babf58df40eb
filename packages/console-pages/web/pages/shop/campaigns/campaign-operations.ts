import { type Body, pathTo, type Reply } from '../../../logic/platform.ts';
import { readAgain } from '../../../shell/queries.ts';
import { send } from '../send.ts';

const all = '/api/v1/notifications/stores/{store_id}/campaigns';
export type Campaign = Reply<`GET ${typeof all}`>['campaigns'][number];
export type CampaignFields = Body<`POST ${typeof all}`>;
/** A draft with the number of its audience. */
export type Counted = Reply<`POST ${typeof all}`>;

export const campaignsPath = (store_id: string) => pathTo(all, { store_id });

async function changing<T>(storeId: string, change: Promise<T>): Promise<T> {
  try {
    return await change;
  } finally {
    await readAgain(campaignsPath(storeId));
  }
}

export const makeCampaign = (store_id: string, body: CampaignFields, key: string): Promise<Counted> =>
  changing(store_id, send(`POST ${all}`, { of: store_id, at: { store_id }, body, key }));

/** Returns how many contacts of the store it was written to. */
export const testCampaign = async (store_id: string, campaign_id: string): Promise<number> =>
  (await send(`POST ${all}/{campaign_id}/test`, { of: campaign_id, at: { store_id, campaign_id }, body: {} })).messages;

export const stepCampaign = (store_id: string, campaign_id: string, step: 'send' | 'stop', key?: string) =>
  changing(store_id, send(`POST ${all}/{campaign_id}/${step}`, { of: campaign_id, at: { store_id, campaign_id }, body: {}, key }));
