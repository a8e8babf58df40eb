import type { Transaction } from '@corner/chassis';
import type { ChangedBy, DirectoryObject } from '@corner/contracts';
import { changeObject, type Versioned } from '../../object/transactions/change-object.ts';
import { editStaff } from '../../staff/index.ts';
import { withDialledPhone } from '../rules/settings.ts';
import { checkStoreName } from './check-store-name.ts';

/** Creates a store, and makes the person who asks for it its owner. Throws STORE_CODE_TAKEN, and VALIDATION_FAILED for a name that misleads. */
export async function createStore(tx: Transaction, { id, settings, by, requestId }: StoreRequest): Promise<Versioned<'store'>> {
  await checkStoreName(tx, { storeId: id, name: settings.name ?? '', ownerId: by.id });
  const own = withDialledPhone(settings, settings.time_zone ?? 'UTC');
  const request = { at: id, expected: null, requestId, by } as const;
  const store = await changeObject(tx, {
    kind: 'store',
    id,
    storeId: id,
    creates: true,
    ...request,
    change: (): DirectoryObject<'store'> => ({ ...own, id, listing: 'with_account' }) as DirectoryObject<'store'>,
  });
  const newcomer: DirectoryObject<'staff'> = { id: by.id, name: by.name ?? 'Owner', stores: [], cards: [], revoked_sessions: [] };
  await changeObject(tx, {
    kind: 'staff',
    id: by.id,
    storeId: null,
    ...request,
    change: (person) => editStaff(person ?? newcomer, id, { role: 'owner' }),
  });
  return store;
}

interface StoreRequest {
  readonly id: string;
  /** The fields that the owner sets; the schema of a store fills in those of the platform. */
  readonly settings: Omit<Partial<DirectoryObject<'store'>>, 'id'>;
  readonly by: ChangedBy;
  readonly requestId: string | null;
}
