import { defineEvent } from '../event.ts';
import {
  BookingSnapshot,
  CustomerSnapshot,
  FloorSnapshot,
  MenuSnapshot,
  ProgrammeSnapshot,
  SlotsSnapshot,
  StaffSnapshot,
  StoreSnapshot,
} from './snapshots.ts';

const producers = ['directory'] as const;
const version = 1;

export const directoryStore = defineEvent({ type: 'store', producers, version, summary: 'A store as it is now.', data: StoreSnapshot });
export const directoryMenu = defineEvent({
  type: 'menu',
  producers,
  version,
  summary: 'A store’s menu and promo codes.',
  data: MenuSnapshot,
});
export const directorySlots = defineEvent({
  type: 'slots',
  producers,
  version,
  summary: 'A store’s collection slots.',
  data: SlotsSnapshot,
});
export const directoryProgramme = defineEvent({
  type: 'programme',
  producers,
  version,
  summary: 'A store’s loyalty programme.',
  data: ProgrammeSnapshot,
});
export const directoryFloor = defineEvent({
  type: 'floor',
  producers,
  version,
  summary: 'A store’s chairs, shifts and services.',
  data: FloorSnapshot,
});
export const directoryBooking = defineEvent({
  type: 'booking',
  producers,
  version,
  summary: 'One booking of the diary.',
  data: BookingSnapshot,
});
export const directoryCustomer = defineEvent({
  type: 'customer',
  producers,
  version,
  summary: 'A customer as known to the directory.',
  data: CustomerSnapshot,
});
export const directoryStaff = defineEvent({
  type: 'staff',
  producers,
  version,
  summary: 'A member of staff, with auth cards.',
  data: StaffSnapshot,
});
