export { keptByZone } from './rules/opening-hours.ts';
export { bookedSlotId, checkEarlierSlot, type Slot, slotOf } from './rules/slots.ts';
export { refusalAtOnce, refusalOfStore, type TakingOrders } from './rules/taking-orders.ts';
export { normaliseCode } from './rules/views.ts';
export { lockSlots, moveToSlot, SlotRow } from './tables/slots.ts';
export { findClosing } from './tables/stores.ts';
