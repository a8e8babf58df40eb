import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { CustomerId, Instant, StoreId } from '../vocabulary.ts';
import {
  BookingSnapshot,
  CustomerSnapshot,
  FloorSnapshot,
  MenuSnapshot,
  ProgrammeSnapshot,
  SlotsSnapshot,
  StaffSnapshot,
  StoreSnapshot,
} from './index.ts';

const producers = ['directory'] as const;
const version = 1;

export const directoryStore = defineEvent({
  type: 'store',
  producers,
  version,
  summary: 'The current data of a store.',
  data: StoreSnapshot,
});
export const directoryMenu = defineEvent({
  type: 'menu',
  producers,
  version,
  summary: 'The current menu and promo codes of a store.',
  data: MenuSnapshot,
});
export const directorySlots = defineEvent({
  type: 'slots',
  producers,
  version,
  summary: 'The current collection slots of a store.',
  data: SlotsSnapshot,
});
export const directoryProgramme = defineEvent({
  type: 'programme',
  producers,
  version,
  summary: 'The current loyalty programme of a store.',
  data: ProgrammeSnapshot,
});
export const directoryFloor = defineEvent({
  type: 'floor',
  producers,
  version,
  summary: 'The current chairs, shifts and services of a store.',
  data: FloorSnapshot,
});
export const directoryBooking = defineEvent({
  type: 'booking',
  producers,
  version,
  summary: 'The current data of a booking in the diary.',
  data: BookingSnapshot,
});
export const directoryCustomer = defineEvent({
  type: 'customer',
  producers,
  version,
  summary: 'The current data of a customer.',
  data: CustomerSnapshot,
});
export const directoryStaff = defineEvent({
  type: 'staff',
  producers,
  version,
  summary: 'The current data of a member of staff, with auth cards.',
  data: StaffSnapshot,
});

/**
 * Happens once, so it is no snapshot. The stream keeps it, as it keeps the newest snapshot of each object, so a consumer checks that it is
 * open.
 */
export const staffInvited = defineEvent({
  type: 'staff.invited',
  producers,
  version,
  summary: 'A person was invited to work at a store. Address, role and link are read by the RPC directory.invitation.',
  data: z.object({
    invitation_id: z.guid().describe('The invitation.'),
    store_id: StoreId,
    at: Instant.describe('When it was sent.'),
  }),
});

/** No snapshot. The stream keeps it forever: a service whose database was restored erases the customer again. */
export const customerErased = defineEvent({
  type: 'customer.erased',
  producers,
  version,
  summary:
    'A customer is to be erased: each service drops what names them, and keeps nothing of them that comes later. Published again with a higher sequence to have it done again.',
  data: z.object({
    customer_id: CustomerId,
    at: Instant.describe('When it was begun.'),
  }),
});
