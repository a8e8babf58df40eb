import { type DirectoryObject, type directory, objectSchemas, type RequestOf } from '@corner/contracts';
import { merged } from '../object/rules/edit-list.ts';

export const newCustomer = (id: string): DirectoryObject<'customer'> => objectSchemas.customer.parse({ id });

/** Returns a profile after a change by its customer. A new address is unconfirmed: they typed it, and no sign-in has verified it. */
export function editProfile(
  customer: DirectoryObject<'customer'>,
  changes: RequestOf<typeof directory.changeMe>['body'],
): DirectoryObject<'customer'> {
  const { email_verified: verified, ...profile } = customer;
  const changed = merged(profile, changes);
  if (!changed.email) return changed;
  if (!isSameAddress(changed.email, customer.email)) return { ...changed, email_verified: false };
  return verified === undefined ? changed : { ...changed, email_verified: verified };
}

/** Returns a profile after a sign-in whose provider has verified an address: fills in what is missing, and confirms the address that was typed. */
export function confirmProfile(
  customer: DirectoryObject<'customer'>,
  given: Pick<DirectoryObject<'customer'>, 'name' | 'email'>,
): DirectoryObject<'customer'> {
  const { email_verified: verified, ...profile } = customer;
  const filled = { ...profile, name: profile.name ?? given.name, email: profile.email ?? given.email };
  return verified === undefined || isSameAddress(filled.email, given.email) ? filled : { ...filled, email_verified: verified };
}

const isSameAddress = (one: string | null, other: string | null): boolean => one?.toLowerCase() === other?.toLowerCase();
