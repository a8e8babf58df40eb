import { type DirectoryObject, type directory, managerFields, Problem, phoneAtStore, type RequestOf, type Role } from '@corner/contracts';
import { merged } from '../../object/rules/edit-list.ts';

/** Throws INSUFFICIENT_ROLE, which names the field, for a field that a person below the owner may not change. */
export function checkStoreFields(role: Role, changes: object): void {
  const owners = Object.keys(changes).find((field) => !(managerFields as readonly string[]).includes(field));
  if (role !== 'owner' && owners !== undefined)
    throw new Problem('INSUFFICIENT_ROLE', {
      message: `${owners}: only an owner of the store may change it; the token has the role ${role} there.`,
    });
}

export const editStore = (store: DirectoryObject<'store'>, { branding, ...changes }: RequestOf<typeof directory.changeStore>['body']) =>
  merged(store, {
    ...withDialledPhone(changes, changes.time_zone ?? store.time_zone),
    ...(branding ? { branding: { ...store.branding, ...branding } } : {}),
  });

/** Completes the phone number as it is dialled in the store's country. Throws VALIDATION_FAILED, which names the field. */
export const withDialledPhone = <T extends { readonly phone?: string | null | undefined }>(settings: T, timeZone: string): T =>
  settings.phone ? { ...settings, phone: phoneAtStore(settings.phone, timeZone, 'phone') } : settings;

/** The address of a page or a mailbox as people type it: a dot between letters or digits and the letters of an ending, or `://`. */
const address = /:\/\/|[\p{L}\p{N}-][.\u3002](\p{L}{2,}|xn--)/u;

export const holdsAddress = (name: string): boolean =>
  address.test(name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
