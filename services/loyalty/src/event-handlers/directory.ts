import { on } from '@corner/chassis';
import { directoryCustomer, directoryProgramme, directoryStaff, directoryStore } from '@corner/contracts';
import { staffCardHash } from '../crypto/hashes.ts';
import { monthlyQuota } from '../rules/card.ts';
import { validCards } from '../rules/staff.ts';
import { saveCustomer, saveProgramme, saveStaff, saveStore } from '../tables/directory.ts';

/** Saves the newest snapshot of a store. */
export const projectStore = on(directoryStore, ({ data }, tx) => saveStore(tx, data));

/** Saves the newest snapshot of a programme. A changed goal applies from the next stamp on. */
export const projectProgramme = on(directoryProgramme, ({ data }, tx) =>
  saveProgramme(tx, data, monthlyQuota(data.plan_key, data.monthly_stamp_quota)),
);

/** Saves the newest snapshot of a customer. */
export const projectCustomer = on(directoryCustomer, ({ data }, tx) => saveCustomer(tx, data));

/** Saves the newest snapshot of a member of staff. */
export const projectStaff = on(directoryStaff, ({ data }, tx) => {
  const cardHashes = validCards(data).map(({ store_id, token_id }) => staffCardHash(store_id, token_id));
  return saveStaff(tx, data, cardHashes);
});
