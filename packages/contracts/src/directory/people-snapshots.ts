import { z } from 'zod';
import { readPhoneNumber } from '../typed/phone-numbers.ts';
import { CustomerId, extension, InstantInput, roles } from '../vocabulary.ts';
import { Language, ofStore, PushDevice, snapshot } from './snapshot-parts.ts';

export const CustomerSnapshot = z.object({
  ...snapshot,
  id: CustomerId.describe('The customer.'),
  name: z.string().nullable().default(null).describe('The name that staff see. Null when it is unknown.'),
  email: z.string().nullable().default(null).describe('Where mail is sent. Null for none.'),
  email_verified: extension(
    z
      .boolean()
      .optional()
      .describe(
        'False for an address that the customer typed and no sign-in has confirmed: it gets one mail until its owner confirms it. Absent counts as true.',
      ),
  ),
  phone: z
    .string()
    .overwrite((typed) => readPhoneNumber(typed, null) ?? typed)
    .nullable()
    .default(null)
    .describe('The phone number, as E.164 if it names its country. Null for none.'),
  identity_user_id: z.string().nullable().default(null).describe('The account at the identity provider. Null when it is unknown.'),
  push_devices: z.array(PushDevice).default([]).describe('Where pushes are sent.'),
  language: Language.nullable()
    .default(null)
    .describe('The language of messages. Null for a customer whose language is unknown: then the store’s language is used.'),
  memberships: z
    .array(
      z.object({
        store_id: ofStore,
        status: z.string().describe('For example `active`.'),
        current_period_end: InstantInput.nullable().default(null).describe('Until when it is paid. Null when it does not end.'),
        plan_name: z.string().nullable().default(null).describe('What the plan is called. Null when it has no name.'),
      }),
    )
    .default([])
    .describe('The customer’s memberships, by store.'),
});

export const StaffSnapshot = z.object({
  ...snapshot,
  id: z.guid().toLowerCase().describe('The member of staff: the subject of their tokens.'),
  name: z.string().describe('The name that logs show.'),
  stores: z.array(z.object({ id: ofStore, role: z.enum(roles).describe('What they may do there.') })).describe('Where they work.'),
  cards: z
    .array(
      z.object({
        token_id: z.string().min(16).describe('What the card’s chip says.'),
        store_id: ofStore,
        revoked: z.boolean().default(false).describe('Whether it is refused.'),
      }),
    )
    .default([])
    .describe('Their auth cards.'),
  revoked_sessions: z.array(z.string()).default([]).describe('Ids of sessions that are refused although their tokens have not expired.'),
});
