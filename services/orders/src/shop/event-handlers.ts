import { on } from '@corner/chassis';
import { directoryCustomer, directoryMenu, directorySlots, directoryStore } from '@corner/contracts';
import { writeContact, writeStore } from './tables/projections.ts';
import { saveMenu, saveSlots } from './transactions.ts';

/** Saves a store's snapshot, unless the same version or a newer one is stored. */
export const projectStore = on(directoryStore, ({ data }, tx) => writeStore(tx, data));

/** Saves the newest snapshot of a menu. Stock that orders have taken stays taken. */
export const projectMenu = on(directoryMenu, ({ data }, tx) => saveMenu(tx, data));

/** Saves the newest snapshot of the slots of a store. Places that orders use stay used. */
export const projectSlots = on(directorySlots, ({ data }, tx) => saveSlots(tx, data));

/** Keeps the customer's name and language, and whether push or email reaches the customer; nothing else of the customer is stored. */
export const projectContact = on(directoryCustomer, ({ data }, tx) => writeContact(tx, data));
