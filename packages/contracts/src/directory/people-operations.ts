import { z } from 'zod';
import { customer, defineOperation, manager, merchant } from '../operation.ts';
import { PhoneNumber } from '../typed/phone-numbers.ts';
import { CustomerId } from '../vocabulary.ts';
import { CardChange, changesOf, OfStore, objectSchemas, Profile, StaffMember, Version } from './shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'directory';

const ofStaff = OfStore.extend({ staff_id: z.guid().toLowerCase().describe('The member of staff.') });
const StaffReply = z.object({ version: Version, staff: StaffMember });
const { name, role } = StaffMember.shape;
const cards = z.array(CardChange).max(20).optional().describe('Auth cards to add or to change, each by its token id.');

export const listStaff = defineOperation({
  name: 'listStaff',
  service,
  method: 'GET',
  path: '/api/v1/directory/stores/{store_id}/staff',
  summary: 'List the people who work at a store.',
  description: 'Each with the role, the auth cards and the version that a change names. At most 200 people work at a store.',
  caller: manager,
  params: OfStore,
  reply: z.object({ staff: z.array(StaffMember) }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const addStaff = defineOperation({
  name: 'addStaff',
  service,
  method: 'POST',
  path: '/api/v1/directory/stores/{store_id}/staff',
  summary: 'Add a person to the staff of a store.',
  description:
    'A manager adds people with the role staff, an owner with any role. Someone who works elsewhere too keeps that, and the name that they have there. The person needs a token that lists the store.',
  caller: manager,
  params: OfStore,
  body: z.object({
    id: z.guid().toLowerCase().describe('The person: the subject of their tokens.'),
    name: name.trim().min(1).max(120),
    role,
    cards,
  }),
  reply: StaffReply,
  problems: ['STORE_NOT_FOUND', 'STAFF_EXISTS', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  versioned: true,
  extension: true,
  example: {
    params: { store_id: demoStore },
    body: { id: '0190a000-0000-7000-8000-0000000000c3', name: 'Gil', role: 'staff' },
  },
});

export const changeStaff = defineOperation({
  name: 'changeStaff',
  service,
  method: 'PATCH',
  path: '/api/v1/directory/stores/{store_id}/staff/{staff_id}',
  summary: 'Change or dismiss a person who works at a store.',
  description:
    'Only their part of this store is changed; the name, while they work nowhere else. A manager changes people with the role staff, an owner everyone. The role null dismisses a person and revokes their cards of the store; the last owner stays. With revoke_sessions their staff sessions are refused from then on.',
  caller: manager,
  params: ofStaff,
  body: z.object({
    name: name.trim().min(1).max(120).optional(),
    role: role.nullish().describe('What they may do there. Null dismisses them.'),
    cards,
    revoke_cards: z
      .array(z.string().min(4).max(128))
      .max(20)
      .optional()
      .describe('Auth cards that are refused from now on: the last characters of each, as ends_with says them.'),
    revoke_sessions: z.array(z.string().min(1).max(128)).max(20).optional().describe('Ids of staff sessions that are refused from now on.'),
  }),
  reply: StaffReply.extend({ staff: StaffMember.nullable().describe('Null for a person who was dismissed.') }),
  problems: ['STORE_NOT_FOUND', 'STAFF_NOT_FOUND', 'LAST_OWNER', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  versioned: true,
  extension: true,
  example: {
    params: { store_id: demoStore, staff_id: '0190a000-0000-7000-8000-0000000000c1' },
    body: { role: 'manager' },
  },
});

const ProfileReply = z.object({ version: Version, profile: Profile });
const { id: _own, ...profileFields } = Profile.shape;

export const readMe = defineOperation({
  name: 'readMe',
  service,
  method: 'GET',
  path: '/api/v1/directory/me',
  summary: 'Read the caller’s own profile.',
  description: 'A customer whom the directory does not know has an empty one, with version 0.',
  caller: customer,
  reply: ProfileReply,
  problems: [],
  replay: 'none',
  versioned: true,
  extension: true,
  example: {},
});

export const changeMe = defineOperation({
  name: 'changeMe',
  service,
  method: 'PATCH',
  path: '/api/v1/directory/me',
  summary: 'Change the caller’s own profile.',
  description: 'What the request names is set, everything else stays; null removes a value. The devices are replaced whole.',
  caller: customer,
  body: changesOf(profileFields).extend({
    name: z
      .string()
      .trim()
      .min(1)
      .max(120)
      .nullish()
      .describe(profileFields.name.description ?? ''),
    email: z
      .email()
      .max(254)
      .nullish()
      .describe(profileFields.email.description ?? ''),
    phone: PhoneNumber.nullish().describe(profileFields.phone.description ?? ''),
  }),
  reply: ProfileReply,
  problems: [],
  replay: 'header',
  versioned: true,
  extension: true,
  example: { body: { language: 'fr' } },
});

const ofCustomer = OfStore.extend({ customer_id: CustomerId });
const { store_id: _membershipOf, ...membershipFields } = objectSchemas.customer.shape.memberships.unwrap().element.shape;
const Membership = z.object(membershipFields).nullable().describe('The customer’s membership of the store. Null for none.');
const MembershipReply = z.object({ version: Version, membership: Membership });

export const readMembership = defineOperation({
  name: 'readMembership',
  service,
  method: 'GET',
  path: '/api/v1/directory/stores/{store_id}/customers/{customer_id}',
  summary: 'Read a customer’s membership of a store.',
  description: 'Nothing else of the customer is in it. The version counts every change of the customer, also those of other stores.',
  caller: merchant,
  params: ofCustomer,
  reply: MembershipReply,
  problems: ['STORE_NOT_FOUND', 'CUSTOMER_NOT_FOUND'],
  replay: 'none',
  versioned: true,
  extension: true,
  example: { params: { store_id: demoStore, customer_id: '0190a000-0000-7000-8000-0000000000a5' } },
});

export const changeMembership = defineOperation({
  name: 'changeMembership',
  service,
  method: 'PATCH',
  path: '/api/v1/directory/stores/{store_id}/customers/{customer_id}',
  summary: 'Set or end a customer’s membership of a store.',
  description:
    'The membership is replaced whole. Corner takes no money for it; a system of the store’s own does, and says here what was paid.',
  caller: manager,
  params: ofCustomer,
  body: z.object({ membership: Membership.optional() }),
  reply: MembershipReply,
  problems: ['STORE_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  versioned: true,
  extension: true,
  example: {
    params: { store_id: demoStore, customer_id: '0190a000-0000-7000-8000-0000000000a5' },
    body: { membership: { status: 'active', plan_name: 'Regulars' } },
  },
});
