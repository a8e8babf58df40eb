import { on } from '@corner/chassis';
import { directoryStaff } from '@corner/contracts';
import { staffCardHash } from '../crypto/hashes.ts';
import { validCards } from '../rules/staff.ts';
import { saveStaff } from '../tables/directory.ts';

/** Saves the newest snapshot of a member of staff. */
export const projectStaff = on(directoryStaff, ({ data }, tx) => {
  const cardHashes = validCards(data).map(({ store_id, token_id }) => staffCardHash(store_id, token_id));
  return saveStaff(tx, data, cardHashes);
});
