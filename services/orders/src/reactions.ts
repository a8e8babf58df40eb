import { projectContact } from './reactions/project-contact.ts';
import { projectMenu } from './reactions/project-menu.ts';
import { projectSlots } from './reactions/project-slots.ts';
import { projectStore } from './reactions/project-store.ts';

/** What orders does when something has happened. */
export const reactions = { projectMenu, projectStore, projectSlots, projectContact };
