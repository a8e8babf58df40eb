import { z } from 'zod';
import { anyone, defineOperation, owner } from '../operation.ts';
import { typedName } from '../typed/names.ts';
import { Instant, partnerScopes, StoreId } from '../vocabulary.ts';
import { OfStore } from './shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const demoPartner = '0190a000-0000-7000-8000-0000000000d1';
const service = 'directory';

const Scopes = z.array(z.enum(partnerScopes)).describe('What it may do at its stores.');
const Partner = z
  .object({
    id: z.string().describe('The partner: the client_id by which it asks for tokens, and their subject.'),
    name: z.string().describe('The name that logs show.'),
    scopes: Scopes,
    store_ids: z.array(StoreId).describe('The stores that its tokens list.'),
    created_at: Instant.describe('When it was created.'),
    secrets: z
      .array(z.object({ created_at: Instant, expires_at: Instant.nullable().describe('Null for the newest.') }))
      .describe('The secrets that are valid, the newest first.'),
  })
  .meta({ id: 'Partner', description: 'A machine of another company that calls for stores.' });
const PartnerReply = z.object({ partner: Partner });
const SecretReply = PartnerReply.extend({
  client_secret: z
    .string()
    .nullable()
    .describe('The new secret, which is shown once. Null in a repeat with the same Idempotency-Key after ten minutes: make a new one.'),
});
const ofPartner = OfStore.extend({ partner_id: z.guid().toLowerCase().describe('The partner.') });

export const createPartner = defineOperation({
  name: 'createPartner',
  service,
  method: 'POST',
  path: '/api/v1/directory/stores/{store_id}/partners',
  summary: 'Let a partner call for a store: a machine of another company.',
  description:
    'The partner gets tokens with its id and the secret of this reply (partnerToken), and may do at the stores what its scopes allow. Owners only, of each of the stores. A store has at most 50 partners.',
  caller: owner,
  params: OfStore,
  body: z.object({
    name: typedName(80).describe('The name that logs show, as “partner …”.'),
    scopes: Scopes.min(1).refine((scopes) => new Set(scopes).size === scopes.length, 'must name each scope once'),
    further_store_ids: z.array(StoreId).max(19).default([]).describe('Further stores of yours that it calls for.'),
  }),
  reply: SecretReply,
  problems: ['TOKENS_ISSUED_ELSEWHERE', 'STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  unpublished: true,
  unstored: true,
  limits: [{ by: 'principal', limit: 30, windowSeconds: 3600 }],
  extension: true,
  example: { params: { store_id: demoStore }, body: { name: 'Ledgerly', scopes: ['orders:read', 'reports:read'] } },
});

export const listPartners = defineOperation({
  name: 'listPartners',
  service,
  method: 'GET',
  path: '/api/v1/directory/stores/{store_id}/partners',
  summary: 'List the partners of a store.',
  description: 'By their names. One that was withdrawn is not listed.',
  caller: owner,
  params: OfStore,
  reply: z.object({ partners: z.array(Partner) }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const rotatePartnerSecret = defineOperation({
  name: 'rotatePartnerSecret',
  service,
  method: 'POST',
  path: '/api/v1/directory/stores/{store_id}/partners/{partner_id}/secret',
  summary: 'Make a new secret of a partner.',
  description:
    'The one before stays valid for a while, so that the partner changes over without a gap; an older one is refused at once. Owners only, of each store of the partner.',
  caller: owner,
  params: ofPartner,
  body: z.object({
    old_valid_hours: z.int().min(0).max(168).default(24).describe('Hours that the one before stays valid: 0 for a secret that leaked.'),
  }),
  reply: SecretReply,
  problems: ['TOKENS_ISSUED_ELSEWHERE', 'PARTNER_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  unpublished: true,
  unstored: true,
  limits: [{ by: 'principal', limit: 30, windowSeconds: 3600 }],
  extension: true,
  example: { params: { store_id: demoStore, partner_id: demoPartner }, body: { old_valid_hours: 24 } },
});

export const withdrawPartner = defineOperation({
  name: 'withdrawPartner',
  service,
  method: 'POST',
  path: '/api/v1/directory/stores/{store_id}/partners/{partner_id}/withdraw',
  summary: 'Withdraw a partner from a store.',
  description:
    'It gets no further token for the store, and none at all once it is withdrawn from its last store. A token of before is valid until it expires, fifteen minutes at most. One that is withdrawn stays so.',
  caller: owner,
  params: ofPartner,
  body: z.object({}),
  reply: PartnerReply,
  problems: ['PARTNER_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  unpublished: true,
  extension: true,
  example: { params: { store_id: demoStore, partner_id: demoPartner }, body: {} },
});

export const partnerToken = defineOperation({
  name: 'partnerToken',
  service,
  method: 'POST',
  path: '/api/v1/directory/token/partner',
  summary: 'Get an access token as a partner, by client credentials.',
  description:
    'The client credentials grant of RFC 6749 (section 4.4). The body is a form or JSON, and id and secret may come by HTTP Basic instead. The token is valid for fifteen minutes; ask for the next one shortly before. There is no refresh token. A refusal is as section 5.2 wants it: `error` is a text such as `invalid_client`; `code` and `requestId` are Corner’s.',
  caller: anyone,
  body: z.object({
    grant_type: z.literal('client_credentials').describe('The grant.'),
    client_id: z.string().min(1).max(256).toLowerCase().describe('The partner.'),
    client_secret: z.string().min(1).max(256).describe('Its secret.'),
  }),
  reply: z.object({
    access_token: z.string().describe('For the header Authorization: Bearer.'),
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds that the access token is valid.'),
    scope: z.string().describe('The scopes of the partner, separated by spaces.'),
  }),
  problems: ['TOKENS_ISSUED_ELSEWHERE', 'CLIENT_INVALID'],
  replay: 'none',
  unpublished: true,
  unstored: true,
  oauthClient: true,
  // A secret cannot be guessed. The limit is per client and address, so that a partner that fails repeatedly stops no other.
  limits: [{ by: 'address+client', limit: 30, windowSeconds: 60 }],
  extension: true,
  example: { body: { grant_type: 'client_credentials', client_id: demoPartner, client_secret: 'corner_c2VjcmV0' } },
});
