import { projectBooking } from './event-handlers/project-booking.ts';
import { projectFloor } from './event-handlers/project-floor.ts';
import { projectStore } from './event-handlers/project-store.ts';

/** What the queue does when something has happened. */
export const eventHandlers = { projectBooking, projectFloor, projectStore };
