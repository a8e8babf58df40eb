import { on } from '@corner/chassis';
import { directoryBooking } from '@corner/contracts';
import { saveBooking } from '../transactions/save-booking.ts';

/** Saves the newest snapshot of a booking in the diary. */
export const projectBooking = on(directoryBooking, ({ data }, tx) => saveBooking(tx, data));
