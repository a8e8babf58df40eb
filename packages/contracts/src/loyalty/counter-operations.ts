import { z } from 'zod';
import { defineOperation, merchant, orPartner, staff } from '../operation.ts';
import { ChangedBy, Instant, pageOfLog, queryInteger, StoreId } from '../vocabulary.ts';
import { FoundCustomer, LoyaltyLogEntry, PendingStamp } from './shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'loyalty';

export const findCustomers = defineOperation({
  name: 'findCustomers',
  service,
  method: 'GET',
  path: '/api/v1/loyalty/customers',
  summary: 'Find a customer who stands at the counter.',
  description:
    'Finds people who have ordered, collected a stamp, tapped or joined the queue at this store, with their card and the vouchers they can use: at most 20, those who visited last first. Someone who has only been granted stamps is found by their card alone, and without a name. E-mail and phone are null for the role staff. Guests have no card: listOrders and listQueueEntries find them. Each look-up is recorded with who made it.',
  caller: staff,
  query: z.object({
    store_id: StoreId,
    q: z
      .string()
      .min(1)
      .max(320)
      .describe(
        'A customer’s id or the text that the QR code of a pass holds; a whole e-mail address; the last digits of a phone number, four at least; the beginnings of words of a name, one of three letters at least; or whole words of a name, one of two letters at least. Case and accents do not matter.',
      ),
  }),
  reply: z.object({ customers: z.array(FoundCustomer) }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  limits: [{ by: 'principal', limit: 60, windowSeconds: 60 }],
  extension: true,
  example: { query: { store_id: demoStore, q: 'ana' } },
});

export const listGuestStamps = defineOperation({
  name: 'listGuestStamps',
  service,
  method: 'GET',
  path: '/api/v1/loyalty/pending-stamps/guests',
  summary: 'List the pending stamps of guests.',
  description:
    'Stamps of codes that were redeemed without an account, newest first. A guest’s stamp is on no card. At most 200 wait at a store; one that no one answers for a day is rejected. For the next page, send the id of the last stamp as before.',
  caller: orPartner(merchant, 'loyalty:read'),
  query: z.object({
    store_id: StoreId,
    limit: queryInteger(z.int().min(1).max(100).default(50)).describe('Stamps in a page.'),
    before: z.guid().toLowerCase().optional().describe('The id of the last stamp of the page before.'),
  }),
  reply: z.object({ stamps: z.array(PendingStamp) }),
  problems: ['INVALID_CURSOR'],
  replay: 'none',
  extension: true,
  example: { query: { store_id: demoStore } },
});

export const redeemVoucherByCode = defineOperation({
  name: 'redeemVoucherByCode',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/redemptions/by-code',
  summary: 'Redeem a voucher at the counter by its code.',
  description:
    'Like redeemVoucher, for a customer who reads the code out or shows it. Letter case, spaces and hyphens are ignored. A voucher is redeemed once, also when several requests arrive at the same time. The code of another store’s voucher gets the same response as an unknown one.',
  caller: orPartner(staff, 'loyalty:grant'),
  body: z.object({ store_id: StoreId, code: z.string().trim().min(1).max(64).describe('The code as it was read out or typed.') }),
  reply: z.object({
    voucher_id: z.string(),
    redemption_code: z.string(),
    reward_title: z.string().nullable(),
    customer_id: z.string().describe('Whose voucher it was.'),
    by: ChangedBy,
  }),
  problems: ['VOUCHER_NOT_FOUND', 'VOUCHER_ALREADY_REDEEMED', 'VOUCHER_EXPIRED', 'VOUCHER_RESERVED', 'VOUCHER_VOIDED', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  // Limits guessing. A code has ten random characters.
  limits: [{ by: 'principal', counts: 'failures', limit: 30, windowSeconds: 300 }],
  extension: true,
  example: { body: { store_id: demoStore, code: '7K2M9QXR4D' } },
});

export const lookUpVoucher = defineOperation({
  name: 'lookUpVoucher',
  service,
  method: 'POST',
  path: '/api/v1/loyalty/vouchers/look-up',
  summary: 'Look up what a voucher gives, by its code.',
  description:
    'For the counter, before redeemVoucherByCode: it changes nothing, and is refused where that would be, but for the caller’s own voucher. Letter case, spaces and hyphens are ignored.',
  caller: orPartner(staff, 'loyalty:grant'),
  body: z.object({ store_id: StoreId, code: z.string().trim().min(1).max(64).describe('The code as it was read out or typed.') }),
  reply: z.object({
    voucher_id: z.string(),
    reward_title: z.string().nullable().describe('What it gives. Null for a programme whose reward has no title.'),
    expires_at: Instant.describe('Its last moment.'),
  }),
  problems: ['VOUCHER_NOT_FOUND', 'VOUCHER_ALREADY_REDEEMED', 'VOUCHER_EXPIRED', 'VOUCHER_RESERVED', 'VOUCHER_VOIDED'],
  replay: 'header',
  limits: [{ by: 'principal', counts: 'failures', limit: 30, windowSeconds: 300 }],
  extension: true,
  example: { body: { store_id: demoStore, code: '7K2M9QXR4D' } },
});

export const listLoyaltyLog = defineOperation({
  name: 'listLoyaltyLog',
  service,
  method: 'GET',
  path: '/api/v1/loyalty/log',
  summary: 'Read who did what to the cards of a store.',
  description:
    'Newest first: each stamp that was granted, undone, approved or rejected, each voucher that was redeemed at the counter, and stamps that were confirmed together. For the next page, send the id of the last row as before.',
  caller: orPartner(staff, 'loyalty:read'),
  query: z.object({
    store_id: StoreId,
    ...pageOfLog,
  }),
  reply: z.object({ entries: z.array(LoyaltyLogEntry) }),
  problems: ['STORE_NOT_FOUND', 'INVALID_CURSOR'],
  replay: 'none',
  extension: true,
  example: { query: { store_id: demoStore } },
});
