import { z } from 'zod';
import { defineOperation, manager } from '../operation.ts';
import { typedName } from '../typed/names.ts';
import { ChangedBy, Instant, StoreId } from '../vocabulary.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const someCampaign = '0190a000-0000-7000-8000-000000000a01';
const service = 'notifications';

/** The most campaigns of a store that a customer gets in 30 days. */
export const campaignsInMonth = 4;

const Audience = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('everyone') }),
    z.object({ kind: z.literal('one_stamp_to_go') }),
    z.object({ kind: z.literal('reward_waiting') }),
    z.object({ kind: z.literal('not_seen'), days: z.int().min(7).max(365).describe('For at least so many days.') }),
  ])
  .meta({ id: 'CampaignAudience' });
const whom =
  'Of those who said yes to the store’s news: everyone, those whose card lacks one stamp, those with a reward, or those who were not there for a while.';

const Campaign = z
  .object({
    id: z.string(),
    audience: Audience,
    title: z.string(),
    body: z.string(),
    state: z.enum(['draft', 'sending', 'sent', 'stopped']),
    by: ChangedBy,
    made_at: Instant,
    begun_at: Instant.nullable().describe('When sending began. Null for a draft.'),
    ended_at: Instant.nullable().describe('When the last message was written, or it was stopped.'),
    results: z
      .object({
        written: z.int().describe('Customers to whom a message was written.'),
        sent: z.int().describe('Of those, how many messages a channel has taken.'),
        muted: z
          .int()
          .describe(
            'How many were not sent: the customer said no or muted the store meanwhile, cannot be reached, or it was nine in the evening before a channel took it.',
          ),
        failed: z.int(),
        stopped: z.int().describe('Customers who said no within 14 days after it.'),
        came_back: z.int().describe('Of those to whom one was written, how many paid an order or were served within 14 days.'),
        held_out: z.int().describe('Customers who were left out by lot: a tenth of an audience of 200 and more.'),
        held_out_came_back: z.int().describe('Of those, how many came within 14 days all the same.'),
      })
      .describe('Counted once a minute, until 15 days after it ended.'),
  })
  .meta({ id: 'Campaign' });

const ofStore = z.object({ store_id: StoreId });
const ofCampaign = ofStore.extend({ campaign_id: z.guid().toLowerCase().describe('The campaign.') });
const reply = z.object({ campaign: Campaign });
const step = { params: { store_id: demoStore, campaign_id: someCampaign }, body: {} };
const path = '/api/v1/notifications/stores/{store_id}/campaigns' as const;

export const makeCampaign = defineOperation({
  name: 'makeCampaign',
  service,
  method: 'POST',
  path,
  summary: 'Write a campaign, and count its audience.',
  description: `A draft: nothing is sent. It goes to customers who said yes to the store’s news and have not muted it, at most ${campaignsInMonth} of a store in 30 days to one customer.`,
  caller: manager,
  params: ofStore,
  body: z.object({
    audience: Audience.describe(whom),
    title: typedName(60).describe('The first line.'),
    body: z.string().trim().min(1).max(300).describe('The text. Each message ends with a way to stop them.'),
  }),
  reply: reply.extend({ audience_count: z.int().describe('How many customers would get it now, or be held out.') }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  extension: true,
  example: {
    params: { store_id: demoStore },
    body: { audience: { kind: 'one_stamp_to_go' }, title: 'One stamp to go', body: 'Your next coffee earns you a free one.' },
  },
});

export const listCampaigns = defineOperation({
  name: 'listCampaigns',
  service,
  method: 'GET',
  path,
  summary: 'List the campaigns of a store with their results.',
  description: 'The newest 50.',
  caller: manager,
  params: ofStore,
  reply: z.object({ campaigns: z.array(Campaign) }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const testCampaign = defineOperation({
  name: 'testCampaign',
  service,
  method: 'POST',
  path: `${path}/{campaign_id}/test`,
  summary: 'Send a campaign to the contacts of the store.',
  description: 'As it is written, to the store itself. Each call sends it again.',
  caller: manager,
  params: ofCampaign,
  body: z.object({}),
  reply: z.object({ messages: z.int().describe('How many messages were written to contacts. 0: the store has none.') }),
  problems: ['CAMPAIGN_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  extension: true,
  example: step,
});

export const sendCampaign = defineOperation({
  name: 'sendCampaign',
  service,
  method: 'POST',
  path: `${path}/{campaign_id}/send`,
  summary: 'Send a campaign.',
  description:
    'From nine to nine in the store’s time zone, some 20 customers a second. Each message is written only while its customer’s yes stands, which the record of consent proves, and is not sent if they say no before. A repeat changes nothing.',
  caller: manager,
  params: ofCampaign,
  body: z.object({}),
  reply,
  problems: ['CAMPAIGN_NOT_FOUND', 'INVALID_TRANSITION', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  extension: true,
  example: step,
});

export const stopCampaign = defineOperation({
  name: 'stopCampaign',
  service,
  method: 'POST',
  path: `${path}/{campaign_id}/stop`,
  summary: 'Stop a campaign.',
  description: 'No further message of it is written. A repeat changes nothing.',
  caller: manager,
  params: ofCampaign,
  body: z.object({}),
  reply,
  problems: ['CAMPAIGN_NOT_FOUND', 'INVALID_TRANSITION', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  extension: true,
  example: step,
});
