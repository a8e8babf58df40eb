import type { components } from '@corner/client';
import type { Tone } from '../../../../components/states.tsx';

export type Webhook = components['schemas']['Webhook'];
export type WebhookFields = Pick<Webhook, 'url' | 'types' | 'description'>;
export type WebhookEvent = components['schemas']['WebhookEvent'];

/** In the order of the reference. The pages do not load the contracts; a test compares both. */
export const typesBySubject: Readonly<Record<string, readonly string[]>> = {
  Orders: [
    'order.paid',
    'order.fulfilment_changed',
    'order.status_changed',
    'order.running_late',
    'order.slot_moved',
    'order.uncollected',
    'order.cancelled',
    'order.expired',
    'order.refunded',
    'order.refund_failed',
  ],
  'The store and its money': ['payment.disputed', 'store.switched', 'store.account_changed', 'store.orders_refused'],
  Queue: [
    'queue.joined',
    'queue.claimed',
    'queue.called',
    'queue.recalled',
    'queue.assigned',
    'queue.left',
    'queue.no_show',
    'queue.completed',
    'queue.converted',
    'queue.reopened',
  ],
  Bookings: [
    'booking.made',
    'booking.confirmed',
    'booking.moved',
    'booking.cancelled',
    'booking.arrived',
    'booking.done',
    'booking.no_show',
    'booking.reopened',
    'session.changed',
    'session.cancelled',
  ],
  Stamps: ['stamp.pending', 'stamp.approved', 'stamp.rejected', 'stamp.undone', 'stamp.reversed', 'multi_stamp.confirmed'],
  Vouchers: ['voucher.minted', 'voucher.redeemed', 'voucher.restored', 'voucher.voided', 'voucher.expiring', 'voucher.expired'],
};

export const nameOf = ({ description, url }: Pick<Webhook, 'description' | 'url'>): string =>
  description || (url ? new URL(url).host : 'Webhook without a name');

const named = 3;
export function typesText(types: readonly string[]): string {
  if (types.length === 0) return 'all events';
  const more = types.length - named;
  return more > 1 ? `${types.slice(0, named).join(', ')} and ${more} more` : types.join(', ');
}

export function stateOf({ state, url }: Pick<Webhook, 'state' | 'url'>): readonly [tone: Tone, text: string] {
  if (state === 'ended') return ['quiet', 'ended'];
  if (state === 'unconfirmed') return ['warn', 'unconfirmed: its receiver has not agreed'];
  if (state === 'failing') return ['bad', 'failing: its last attempt failed'];
  return url === null ? ['info', 'read only'] : ['good', 'active'];
}

export function deliveryState({ delivery }: Pick<WebhookEvent, 'delivery'>, url: string | null): readonly [tone: Tone, text: string] {
  const { state, attempts, next_attempt_at } = delivery;
  if (state === 'delivered') return url === null ? ['info', 'to be read'] : ['good', 'delivered'];
  if (state === 'dead') return ['bad', 'given up'];
  if (next_attempt_at === null) return ['quiet', 'not sent'];
  return attempts === 0 ? ['info', 'waits'] : ['warn', 'failing'];
}

export const responseText = ({ delivery: { status, detail } }: Pick<WebhookEvent, 'delivery'>): string =>
  [status, detail?.trim()].filter(Boolean).join(': ');

/** Returns the changed fields. A webhook that has ended is active again after any change, and then the description counts as one. */
export function changesOf(before: Webhook, after: WebhookFields): Partial<WebhookFields> | null {
  const isSame = (field: keyof WebhookFields) => JSON.stringify(before[field]) === JSON.stringify(after[field]);
  const changed = (['url', 'types', 'description'] as const).filter((field) => !isSame(field));
  if (changed.length > 0) return Object.fromEntries(changed.map((field) => [field, after[field]]));
  return before.state === 'ended' ? { description: after.description } : null;
}

export const testEventOf = (events: readonly WebhookEvent[], eventId: string): WebhookEvent | undefined =>
  events.find(({ payload }) => (JSON.parse(payload) as { readonly event_id: string }).event_id === eventId);

export const pageSize = 100;
const step = pageSize / 2;

/** Stays the same for many events, so that a busy webhook's page is not read again each time. */
export const newestAfter = (lastNumber: number): number => Math.max(0, (Math.floor((lastNumber - 1) / step) - 1) * step);
