import { on } from '@corner/chassis';
import { directoryStore } from '@corner/contracts';
import { mergeContacts } from '../rules/contact-addresses.ts';
import { replaceContacts } from '../tables/contacts.ts';
import { saveStore } from '../tables/stores.ts';

/** Stores a store's name, time zone and currency, and where its contacts can be reached, from the newest snapshot. */
export const projectStore = on(directoryStore, async ({ data }, tx) => {
  if (await saveStore(tx, data)) await replaceContacts(tx, data.id, mergeContacts(data.contacts));
});
