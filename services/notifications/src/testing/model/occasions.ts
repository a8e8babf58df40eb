import { randomUUID } from 'node:crypto';
import { derivedUuid } from '@corner/chassis';
import {
  bookingCancelled,
  bookingNoShow,
  bookingReopened,
  type Envelope,
  membershipBegun,
  stampApproved,
  voucherMinted,
} from '@corner/contracts';
import { bookingEvents, cardEvents, orderEvents } from '../../messages/testing/events.ts';
import type { Guest } from '../../messages/testing/messaging.ts';
import type { StepOf } from './steps.ts';
import type { Cause, Toggle } from './world.ts';

const toggles = {
  voucher: ['voucherEventsEnabled'],
  stamp: ['stampEventsEnabled'],
  order: [],
  membership: ['membershipEventsEnabled'],
  class: ['classEventsEnabled'],
  missed: ['penaltyEventsEnabled'],
  reminder: ['classReminders'],
} as const satisfies Readonly<Record<StepOf<'event'>['about'], readonly Toggle[]>>;

interface Occasion {
  readonly n: number;
  readonly sequence: number;
  readonly now: Date;
}

/** An event with one message, in whose text is its number. */
export function occasionOf(about: StepOf<'event'>['about'], guest: Guest, { n, sequence, now }: Occasion): Omit<Cause, 'who'> {
  const [ref, booked] = [randomUUID(), { service_name: `#${n}` }];
  const card = cardEvents(guest);
  const booking = bookingEvents(guest, guest.customerId, ref);
  // The reminder of two hours before is due in half a minute, the day's is over.
  const starts_at = new Date(now.getTime() + 7_230_000).toISOString();
  const made: Readonly<Record<typeof about, () => Envelope>> = {
    voucher: () => card.voucher(voucherMinted, sequence, randomUUID(), `Reward #${n}`),
    stamp: () => withData(card.stamp(stampApproved, sequence, n), { goal: 999 }),
    order: () => withData(orderEvents(guest).moved('ready', sequence), { order_number: `#${n}` }),
    membership: () => withData(card.membership(membershipBegun, sequence), { plan_name: `#${n}` }),
    class: () => booking(bookingCancelled, { ...booked, cause: 'class', places: 12, status: 'cancelled' }),
    missed: () => booking(bookingNoShow, { ...booked, cause: 'store', status: 'no_show' }),
    reminder: () => booking(bookingReopened, { ...booked, starts_at, cause: 'store', at: now.toISOString() }),
  };
  const envelope = made[about]();
  const eventId = about === 'reminder' ? derivedUuid(`reminder:${envelope.id}:booking:${ref}:hours`) : envelope.id;
  return { envelope, eventId, toggles: toggles[about] };
}

const withData = (envelope: Envelope, data: object): Envelope => ({ ...envelope, data: { ...(envelope.data as object), ...data } });
