import { z } from 'zod';
import { defineOperation, manager, merchant } from '../operation.ts';
import { typedName } from '../typed/names.ts';
import { ChangedBy, Instant, roles, StoreId } from '../vocabulary.ts';
import { OfStore } from './shapes.ts';
import { Language } from './snapshot-parts.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'directory';

const Role = z.enum(roles).describe('What they may do there.');
/** Holds no address: readers of the list need not learn it. */
const Invitation = z
  .object({
    id: z.string().describe('The invitation.'),
    name: z.string().describe('The person who is invited.'),
    role: Role,
    email: z.string().describe('Where the mail was sent, masked: `a…@example.com`.'),
    invited_by: ChangedBy.describe('The person who invites.'),
    created_at: Instant.describe('When it was sent.'),
    expires_at: Instant.describe('Until when it can be accepted.'),
  })
  .meta({ id: 'Invitation' });
const InvitationReply = z.object({ invitation: Invitation });

export const inviteStaff = defineOperation({
  name: 'inviteStaff',
  service,
  method: 'POST',
  path: '/api/v1/directory/stores/{store_id}/invitations',
  summary: 'Invite a person to work at a store, by mail.',
  description:
    'The mail has a link that is valid for seven days and is used once. A manager invites people with the role staff, an owner with any role. An open invitation to the same address is withdrawn.',
  caller: manager,
  params: OfStore,
  body: z.object({
    email: z.email().max(254).describe('Where the mail is sent.'),
    name: typedName(120).describe('The name that logs show, unless the person works elsewhere under another one.'),
    role: Role,
    language: Language.optional().describe('The language of the mail. The store’s when absent.'),
  }),
  reply: InvitationReply,
  problems: ['TOKENS_ISSUED_ELSEWHERE', 'STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  limits: [{ by: 'principal', limit: 30, windowSeconds: 3600 }],
  extension: true,
  example: { params: { store_id: demoStore }, body: { email: 'gil@example.com', name: 'Gil', role: 'staff' } },
});

export const listInvitations = defineOperation({
  name: 'listInvitations',
  service,
  method: 'GET',
  path: '/api/v1/directory/stores/{store_id}/invitations',
  summary: 'List the open invitations of a store.',
  description: 'Newest first, 100 at most. One that was accepted, withdrawn or has expired is not open.',
  caller: manager,
  params: OfStore,
  reply: z.object({ invitations: z.array(Invitation) }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const withdrawInvitation = defineOperation({
  name: 'withdrawInvitation',
  service,
  method: 'POST',
  path: '/api/v1/directory/stores/{store_id}/invitations/{invitation_id}/withdraw',
  summary: 'Withdraw an invitation.',
  description: 'Its link is refused from then on. One that was accepted is not undone: dismiss the person with changeStaff.',
  caller: manager,
  params: OfStore.extend({ invitation_id: z.guid().toLowerCase().describe('The invitation.') }),
  body: z.object({}),
  reply: InvitationReply,
  problems: ['INVITATION_NOT_FOUND', 'INVITATION_ENDED', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  extension: true,
  example: { params: { store_id: demoStore, invitation_id: '0190a000-0000-7000-8000-0000000000e1' }, body: {} },
});

export const acceptInvitation = defineOperation({
  name: 'acceptInvitation',
  service,
  method: 'POST',
  path: '/api/v1/directory/invitations/accept',
  summary: 'Accept an invitation to work at a store.',
  description:
    'The link’s token is the proof, whatever address the caller signs in with. A token lists its stores, so the caller needs a refreshed one before anything can be done for the store.',
  caller: merchant,
  body: z.object({ token: z.string().min(1).max(512).describe('What follows `#` in the link.') }),
  reply: z.object({
    store: z.object({ id: StoreId, code: z.string(), name: z.string() }),
    role: Role,
  }),
  problems: ['TOKENS_ISSUED_ELSEWHERE', 'INVITATION_NOT_FOUND', 'INVITATION_ENDED', 'STAFF_EXISTS'],
  replay: 'header',
  limits: [{ by: 'principal', counts: 'failures', limit: 20, windowSeconds: 3600 }],
  extension: true,
  example: { body: { token: '0190a000-0000-7000-8000-0000000000e1.bWFj' } },
});

export const lookUpInvitation = defineOperation({
  name: 'lookUpInvitation',
  service,
  method: 'POST',
  path: '/api/v1/directory/invitations/look-up',
  summary: 'Look up which store an invitation is of.',
  description: 'For the page that the link opens, before acceptInvitation: it changes nothing.',
  caller: merchant,
  body: z.object({ token: z.string().min(1).max(512).describe('What follows `#` in the link.') }),
  reply: z.object({
    store: z.object({ name: z.string() }),
    role: Role,
    invited_by: z.string().nullable().describe('The name of the person who invites. Null when their token has none.'),
  }),
  problems: ['TOKENS_ISSUED_ELSEWHERE', 'INVITATION_NOT_FOUND', 'INVITATION_ENDED'],
  replay: 'header',
  limits: [{ by: 'principal', counts: 'failures', limit: 20, windowSeconds: 3600 }],
  extension: true,
  example: { body: { token: '0190a000-0000-7000-8000-0000000000e1.bWFj' } },
});
