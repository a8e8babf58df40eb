import type { DataOf, directoryStore } from '@corner/contracts';

type StoreContact = DataOf<typeof directoryStore>['contacts'][number];

/** A contact of a store, with a key that stays the same while its first address does. */
export interface ContactAddresses extends Pick<StoreContact, 'email' | 'phone' | 'push_devices'> {
  /** The e-mail address, else the phone number, else the first device. */
  readonly key: string;
}

/** Contacts by their first address. Two that share it are one person with the addresses of both; one without an address is left out. */
export function mergeContacts(contacts: readonly StoreContact[]): readonly ContactAddresses[] {
  const merged = new Map<string, ContactAddresses>();
  for (const { email, phone, push_devices } of contacts) {
    const key = email?.toLowerCase() ?? phone ?? push_devices[0]?.id;
    if (key === undefined) continue;
    const known = merged.get(key);
    merged.set(key, {
      key,
      email: known?.email ?? email,
      phone: known?.phone ?? phone,
      push_devices: [...(known?.push_devices ?? []), ...push_devices],
    });
  }
  return [...merged.values()];
}
