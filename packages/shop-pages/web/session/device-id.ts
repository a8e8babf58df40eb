import { newUuid } from '@corner/client';
import { type Kept, kept } from '@corner/page-kit/browser/storage';

const name = 'corner.device';

export function deviceId(storage: Kept = kept): string {
  const id = storage.getItem(name) ?? newUuid();
  storage.setItem(name, id);
  return id;
}
