import type { operations } from '@corner/client';
import type { Texts } from '../../texts/en/index.ts';

export type StoreQueue = operations['readStoreQueue']['responses'][200]['content']['application/json'];
type Service = StoreQueue['services'][number];

export const chairsFor = (queue: StoreQueue, service: Service | undefined): StoreQueue['chairs'] =>
  queue.chairs.filter(({ service_ids, wait_min }) => service !== undefined && wait_min !== null && service_ids.includes(service.id));

export function waitFor({ wait_min: wait, wait_range: range }: Service, texts: Texts['queue']): string {
  if (wait === null) return texts.full;
  return range && range.to_min > range.from_min ? texts.waitRange(range.from_min, range.to_min) : texts.wait(wait);
}
