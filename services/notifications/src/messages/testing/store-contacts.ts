import {
  type DataInputOf,
  directoryStore,
  type Envelope,
  type EventContract,
  storeAccountChanged,
  storeOrdersRefused,
} from '@corner/contracts';
import type { Message } from '@corner/sandbox/messages';
import { envelopeOf } from '@corner/testkit';
import type { Guest, Messaging } from './messaging.ts';

type Contact = NonNullable<DataInputOf<typeof directoryStore>['contacts']>[number];

export interface ContactedStore {
  readonly guest: Guest;
  readonly address: { readonly email: string; readonly phone: string; readonly device: string };
  setContacts(contacts: readonly Contact[], language?: string): Promise<void>;
  received(): readonly Message[];
}

let count = 0;

/** The store's only contact has an e-mail address, a phone number and a device. */
export async function contactedStore(messaging: Messaging): Promise<ContactedStore> {
  const guest = await messaging.guest();
  const { storeId } = guest;
  const address = { email: `owner-${storeId}@example.com`, phone: `+4477008${String(10_000 + ++count)}`, device: `staff-${storeId}` };
  let version = 1;
  const setContacts = async (contacts: readonly Contact[], language = 'en') => {
    version += 1;
    const store = { id: storeId, version, code: 'S1', name: 'Bea’s Bakery', time_zone: 'Europe/Paris', currency: 'EUR', language };
    await messaging.publish(
      envelopeOf(directoryStore, { ...store, contacts: [...contacts] }, { aggregateId: storeId, sequence: version, storeId }),
    );
  };
  await setContacts([
    { name: 'Bea', email: address.email, phone: address.phone, push_devices: [{ id: address.device, platform: 'android' }] },
  ]);
  const all = Object.values(address);
  return {
    guest,
    address,
    setContacts,
    received: () =>
      messaging.sandbox.inbox
        .all()
        .filter(({ to }) => all.includes(to))
        .map((message) => ({ ...message, text: message.text.replace(/\s+/g, ' ') })),
  };
}

export function accountEvents({ storeId }: Guest) {
  const event = <E extends EventContract>(contract: E, sequence: number, data: DataInputOf<E>): Envelope =>
    envelopeOf(contract, data, { aggregateId: storeId, sequence, storeId });
  const at = '2026-06-01T12:00:00Z';
  return {
    changed: (accepts_orders: boolean, sequence = 1): Envelope =>
      event(storeAccountChanged, sequence, {
        store_id: storeId,
        accepts_orders,
        reasons: accepts_orders ? [] : ['requirements.past_due'],
        at,
      }),
    refused: (sequence = 1): Envelope =>
      event(storeOrdersRefused, sequence, { store_id: storeId, refused: 3, since: '2026-06-01T11:00:00Z', reasons: [], at }),
  };
}
