import type { DataOf, directoryStore } from '@corner/contracts';
import type { Template } from './template-data.ts';

export type ChannelKind = 'push' | 'email' | 'sms';

const isUrgent = (template: Template): boolean => (urgent as readonly Template[]).includes(template);
const urgent = [
  'queue.called',
  'queue.recalled',
  'queue.closed',
  'store.account_restricted',
  'store.orders_refused',
] as const satisfies readonly Template[];

interface Addressed {
  readonly template: Template;
  readonly channel: ChannelKind;
  readonly customer_id: string | null;
}

/**
 * In the order they are tried. A contact's message belongs to one channel; a guest has only a phone number, which is used for urgent
 * messages.
 */
export function channelsToTry({ template, channel, customer_id }: Addressed): readonly ChannelKind[] {
  if (customer_id === null) return [channel];
  if (isUrgent(template)) return ['push', 'sms', 'email'];
  return channel === 'push' ? ['push', 'email'] : ['email', 'push'];
}

export function channelsOfContact(template: Template, { email, phone, devices }: Reachable): readonly ChannelKind[] {
  return [
    ...(email === null ? [] : (['email'] as const)),
    ...(devices.length === 0 ? [] : (['push'] as const)),
    ...(phone !== null && isUrgent(template) ? (['sms'] as const) : []),
  ];
}

interface Reachable {
  readonly email: string | null;
  readonly phone: string | null;
  readonly devices: readonly unknown[];
}

/** Masks most of an address with dots: its owner recognises it, others cannot use it. Null stays null. */
export function maskAddress(channel: 'push' | 'email' | 'sms', address: string | null): string | null {
  if (!address) return null;
  if (channel !== 'email') return `…${address.slice(-2)}`;
  const at = address.lastIndexOf('@');
  return `${at > 1 ? address.slice(0, 1) : ''}…${address.slice(at)}`;
}

/** Typographic signs become plain: one sign outside GSM's alphabet halves the capacity of an SMS. */
export const smsText = ({ title, body }: { readonly title: string; readonly body: string }): string =>
  `${title}. ${body}`
    .replace(/[‘’]/g, "'")
    .replace(/[“”«»]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/[\u00a0\u202f]/g, ' ');

type StoreContact = DataOf<typeof directoryStore>['contacts'][number];

export interface ContactAddresses extends Pick<StoreContact, 'email' | 'phone' | 'push_devices'> {
  /** The e-mail address, else the phone number, else the first device. Stays the same while the contact's first address does. */
  readonly key: string;
}

/** Two contacts that share their first address are one person with the addresses of both; one without an address is left out. */
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
