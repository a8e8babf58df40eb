import { on } from '@corner/chassis';
import { directoryBooking } from '@corner/contracts';
import { keepBooking } from '../tables/bookings.ts';

/** A booking of the diary is kept as its newest snapshot has it. */
export const projectBooking = on(directoryBooking, ({ data }, tx) => keepBooking(tx, data));
