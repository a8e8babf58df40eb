import { projectContact } from './event-handlers/project-contact.ts';
import { projectMenu } from './event-handlers/project-menu.ts';
import { projectSlots } from './event-handlers/project-slots.ts';
import { projectStore } from './event-handlers/project-store.ts';

/** What orders does when something has happened. */
export const eventHandlers = { projectMenu, projectStore, projectSlots, projectContact };
