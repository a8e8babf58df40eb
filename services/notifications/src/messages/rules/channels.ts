import type { Template } from './template-data.ts';

export type ChannelKind = 'push' | 'email' | 'sms';

/** A phone number is used for what cannot wait until a person reads their mail: a turn in the queue, and a store that takes no orders. */
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
 * The channels a message is tried over, in order: the next one is used when the person cannot be reached over the one before. A contact's
 * message belongs to one channel, since each of the contact's channels has a message of its own. A guest has a phone number only.
 */
export function channelsToTry({ template, channel, customer_id }: Addressed): readonly ChannelKind[] {
  if (customer_id === null) return [channel];
  if (isUrgent(template)) return ['push', 'sms', 'email'];
  return channel === 'push' ? ['push', 'email'] : ['email', 'push'];
}

/** The channels over which a contact of a store gets a message: every one that it has an address for; SMS for what is urgent. */
export function channelsOfContact(template: Template, { email, phone, devices }: ContactAddresses): readonly ChannelKind[] {
  return [
    ...(email === null ? [] : (['email'] as const)),
    ...(devices.length === 0 ? [] : (['push'] as const)),
    ...(phone !== null && isUrgent(template) ? (['sms'] as const) : []),
  ];
}

interface ContactAddresses {
  readonly email: string | null;
  readonly phone: string | null;
  readonly devices: readonly unknown[];
}

/** An address with most of it replaced by dots, so that it is recognised by who knows it and of no use to others. Null stays null. */
export function maskAddress(channel: 'push' | 'email' | 'sms', address: string | null): string | null {
  if (!address) return null;
  if (channel !== 'email') return `…${address.slice(-2)}`;
  const at = address.lastIndexOf('@');
  return `${at > 1 ? address.slice(0, 1) : ''}…${address.slice(at)}`;
}

/**
 * Writes a message as one text: its title, then its body. Typographic signs become plain ones, because a single sign outside of the GSM
 * alphabet more than halves how much fits into one SMS.
 */
export const smsText = ({ title, body }: { readonly title: string; readonly body: string }): string =>
  `${title}. ${body}`
    .replace(/[‘’]/g, "'")
    .replace(/[“”«»]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/[\u00a0\u202f]/g, ' ');
