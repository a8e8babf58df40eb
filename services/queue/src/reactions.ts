import { projectBooking } from './reactions/project-booking.ts';
import { projectFloor } from './reactions/project-floor.ts';
import { projectStore } from './reactions/project-store.ts';

/** What the queue does when something has happened. */
export const reactions = { projectBooking, projectFloor, projectStore };
