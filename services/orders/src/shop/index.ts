export {
  bookedSlotId,
  checkEarlierSlot,
  checkReadyInSlot,
  earliestInSlot,
  type PacedStore,
  quarterOf,
  quartersOfSlot,
  quartersToday,
  type Slot,
  slotOf,
  unitsToMake,
  usualCapacity,
  type WantedPace,
} from './rules/slots.ts';
export { type ItemSwitches, isMarkedSoldOut, unitsLeft } from './rules/switches.ts';
export { openingsOfWeek, refusalAtOnce, refusalOfStore, timeAtStore } from './rules/taking-orders.ts';
export { customerOrderView } from './rules/views.ts';
export { findCustomerOrder } from './tables/customer-reads.ts';
export { findClosing, lockSlots, moveToSlot } from './tables/projections.ts';
export { MenuOption, SlotRow, VatByPlace } from './tables/rows.ts';
