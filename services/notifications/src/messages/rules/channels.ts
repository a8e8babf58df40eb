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
