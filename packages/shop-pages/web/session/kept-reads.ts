import { type Kept, readJson, writeJson } from '@corner/page-kit/browser/storage';

export interface KeptRead {
  readonly data: unknown;
  readonly etag: string | null;
  /** Null for a reply that anyone may read. */
  readonly customer_id: string | null;
}

const prefix = 'corner.read.';
const indexName = 'corner.reads';
const most = 12;

export function readKept(storage: Kept, key: string, customerId: string | null): KeptRead | undefined {
  const value = readJson(storage, prefix + key) as KeptRead | undefined;
  return value && (value.customer_id === null || value.customer_id === customerId) ? value : undefined;
}

export function keepRead(storage: Kept, key: string, read: KeptRead): void {
  const keys = [key, ...keptKeys(storage).filter((other) => other !== key)];
  for (const old of keys.slice(most)) storage.removeItem(prefix + old);
  writeJson(storage, indexName, keys.slice(0, most));
  writeJson(storage, prefix + key, read);
}

export function forgetReadsOf(storage: Kept, customerId: string): void {
  const [own, others] = [[] as string[], [] as string[]];
  for (const key of keptKeys(storage)) {
    const read = readJson(storage, prefix + key) as KeptRead | undefined;
    (read?.customer_id === customerId ? own : others).push(key);
  }
  for (const key of own) storage.removeItem(prefix + key);
  writeJson(storage, indexName, others);
}

const keptKeys = (storage: Kept): readonly string[] => {
  const keys = readJson(storage, indexName);
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
};
