import type { Stamp } from '../loyalty-operations.ts';

const reasons: Readonly<Record<string, string>> = {
  no_proof: 'No tap proves that the customer was there',
  shared_device: 'One phone was used for five customers in a day',
};

export const reasonText = (reason: string | null): string =>
  reason ? (reasons[reason] ?? reason.replaceAll('_', ' ')) : 'No reason given';

const sources: Readonly<Record<string, string>> = {
  hub: 'granted at the counter',
  nfc: 'tap',
  qr: 'code',
  web: 'code',
  order: 'order',
  visit: 'visit',
  membership: 'membership',
  offline_nfc: 'tap, synced later',
};

export const sourceText = (source: string | null): string => (source ? (sources[source] ?? source.replaceAll('_', ' ')) : 'unknown');

export const stampsOf = (stamps: readonly Stamp[], customerId: string): readonly Stamp[] =>
  stamps.filter(({ customer_id }) => customer_id === customerId);

export const undoable = (stamps: readonly Stamp[]): Stamp | null => stamps.find(({ source }) => source === 'hub') ?? null;
