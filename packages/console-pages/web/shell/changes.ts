import type { Change } from '@corner/console-api';
import { createListeners } from '@corner/page-kit/browser/listeners';

/**
 * Serves pages that handle changes themselves: reading a whole query again would be too much. Null: changes may have been missed, and
 * everything is read again.
 */
export const storeChanges = createListeners<[change: Change | null]>();
