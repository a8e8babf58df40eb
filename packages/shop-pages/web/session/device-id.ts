import { newUuid } from '@corner/client';
import { type Kept, kept } from '@corner/page-kit/browser/storage';

const name = 'corner.device';

/** A random name of this browser, for the rule that stamps of one phone for many customers wait for the shop. It reveals nothing else. */
export function deviceId(storage: Kept = kept): string {
  const id = storage.getItem(name) ?? newUuid();
  storage.setItem(name, id);
  return id;
}
