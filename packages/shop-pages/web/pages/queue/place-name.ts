import { type Kept, kept, readJson, writeJson } from '@corner/page-kit/browser/storage';

/** The last place at each store, so that its end is shown. An entry's id opens it, so it is in no address. */
const name = 'corner.places';

export const readPlace = (storeId: string, storage: Kept = kept): string | undefined => {
  const entryId = (readJson(storage, name) as Readonly<Record<string, unknown>> | undefined)?.[storeId];
  return typeof entryId === 'string' ? entryId : undefined;
};

export function keepPlace(storeId: string, entryId: string | null, storage: Kept = kept): void {
  const { [storeId]: _before, ...others } = (readJson(storage, name) as Record<string, unknown> | undefined) ?? {};
  writeJson(storage, name, entryId === null ? others : { ...others, [storeId]: entryId });
}
