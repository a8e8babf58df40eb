import { managerFields } from '@corner/contracts/store-fields';
import { useStore } from '../../../shell/context.ts';
import { type DirectoryStore, storeObject } from './directory-objects.ts';
import { type Edited, useObject } from './use-object.ts';

export function useStoreObject(): Edited<DirectoryStore> {
  const { role } = useStore();
  const isLocked = (field: string) => role !== 'owner' && !(managerFields as readonly string[]).includes(field);
  return useObject(storeObject, isLocked);
}

export const useAbout = (about: string): string =>
  useStore().role === 'owner' ? about : `${about} Only an owner changes the grey fields.`;
