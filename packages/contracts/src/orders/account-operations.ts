import { z } from 'zod';
import { defineOperation, manager, orPartner, owner } from '../operation.ts';
import { Currency, Instant, queryInteger, SignedPence, StoreId } from '../vocabulary.ts';
import { providerModes } from './shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'orders';
const store = '/api/v1/orders/stores/{store_id}';
const ofStore = z.object({ store_id: StoreId });

const PageUrl = z.url({ protocol: /^https?$/, error: 'must be an address that begins with https://' }).max(2_000);

export const linkAccount = defineOperation({
  name: 'linkAccount',
  service,
  method: 'POST',
  path: `${store}/account-link`,
  summary: 'Return the page where a store’s owner opens its payment account, or completes what is missing.',
  description:
    'The first time it creates the store’s account at the payment provider. The page is the provider’s. Its address works once and for a few minutes, so fetch it when the owner presses the button, and send the browser there at once. The provider sends the owner to return_url when they finish or leave; that they came back does not mean that they finished, which readAccount says. It sends them to refresh_url when the address no longer works: that page calls this operation again. Once payments can go to the account, `store.account_connected` is published, and the directory connects the store with it.',
  caller: owner,
  params: ofStore,
  body: z.object({
    return_url: PageUrl.describe(
      'The page of your app that the owner comes back to. https, except with a key of the provider’s test mode.',
    ),
    refresh_url: PageUrl.describe('The page of your app that fetches a new address. https, except with a key of the test mode.'),
    email: z.email().max(254).optional().describe('Where the provider writes to the owner. Needed the first time; ignored later.'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be two capital letters such as GB')
      .optional()
      .describe('The country of the business, ISO 3166-1. When absent, that of the store’s time zone. Ignored after the first time.'),
  }),
  reply: z.object({
    url: z.string().describe('The provider’s page. Keep it out of logs: it lets its holder act for the owner.'),
    expires_at: Instant.describe('When the address stops working.'),
  }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE', 'PAYMENT_PROVIDER_ERROR'],
  replay: 'header',
  unstored: true,
  extension: true,
  example: {
    params: { store_id: demoStore },
    body: {
      return_url: 'https://console.example/shop/settings/payment-account',
      refresh_url: 'https://console.example/shop/settings/payment-account?refresh',
      email: 'bo@example.com',
    },
  },
});

export const readAccount = defineOperation({
  name: 'readAccount',
  service,
  method: 'GET',
  path: `${store}/account`,
  summary: 'Read the state of a store’s payment account.',
  description:
    'Asks the payment provider, and returns what was stored last when it does not respond. Requirements are named in the provider’s words, such as `external_account`; linkAccount returns the page where the owner meets them.',
  caller: manager,
  params: ofStore,
  reply: z.object({
    account: z
      .object({
        mode: z.enum(providerModes).describe('Whether its payments are real: `test` moves no money.'),
        last4: z.string().describe('The last four characters of its id at the provider.'),
        connected: z.boolean().describe('Whether the store’s payments go to it.'),
        accepts_orders: z.boolean().describe('Whether payments can go to it. Without that the store takes no orders.'),
        details_submitted: z.boolean().describe('Whether the owner completed the provider’s page once.'),
        payouts_enabled: z.boolean().describe('Whether the provider pays its money out to the bank.'),
        requirements: z.object({
          currently_due: z.array(z.string()).describe('What the provider asks for now.'),
          past_due: z.array(z.string()).describe('What was not given in time; it is also in currently_due.'),
          deadline: Instant.nullable().describe('By when it must be given. Null when the provider names no time.'),
        }),
        reasons: z.array(z.string()).describe('Why payments cannot go to it, in the provider’s words. Empty while they can.'),
      })
      .nullable()
      .describe('Null for a store that has none yet.'),
  }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  limits: [{ by: 'principal', limit: 60, windowSeconds: 60 }],
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const listPayouts = defineOperation({
  name: 'listPayouts',
  service,
  method: 'GET',
  path: `${store}/payouts`,
  summary: 'List what the payment provider pays out to a store’s bank.',
  description:
    'Newest first, those under way included. Read from the provider every hour, and when it reports a change. Each automatic payout is compared with the orders that it pays; a payment that differs from what the store was to receive is reported to the platform’s operator.',
  caller: orPartner(manager, 'reports:read'),
  params: ofStore,
  query: z.object({
    limit: queryInteger(z.int().min(1).max(100).default(20)).describe('Rows in a page.'),
    before: z.string().max(255).optional().describe('The id of the last row of the page before.'),
  }),
  reply: z.object({
    payouts: z.array(
      z.object({
        id: z.string().describe('Its id at the provider.'),
        amount_pence: SignedPence.describe('What arrives at the bank. Negative when the provider takes it from there.'),
        currency: Currency,
        status: z.string().describe('`pending`, `in_transit`, `paid`, `failed` or `canceled`, as the provider says.'),
        arrival_date: z.iso.date().describe('The day on which it arrives at the bank, or did.'),
        created_at: Instant.describe('When the provider made it.'),
        failure: z.string().nullable().describe('Why it failed, in the provider’s words. Null for one that did not.'),
        matched: z
          .object({
            orders: z.int().describe('Orders whose payments or refunds are in it.'),
            amount_pence: SignedPence.describe('What it pays for them, after the platform’s fee.'),
            other_pence: SignedPence.describe('What it pays for anything else. 0 when it is all of orders.'),
          })
          .nullable()
          .describe('What it is made of. Null until the provider says, and for one that was paid out by hand.'),
      }),
    ),
  }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  extension: true,
  example: { params: { store_id: demoStore } },
});
