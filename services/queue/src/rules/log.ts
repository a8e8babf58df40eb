import type { ChangedBy } from '@corner/contracts';
import type { Move } from './moves.ts';
import { timeAtStore } from './walk-ins.ts';

/** `call_lapsed`, `closed` and `abandoned` are ends by time. */
export type LogKind =
  | (
      | 'joined'
      | 'confirmed'
      | 'claimed'
      | 'called'
      | 'recalled'
      | 'assigned'
      | 'completed'
      | 'no_show'
      | 'converted'
      | 'left'
      | 'cleared'
      | 'reopened'
    )
  | ('call_lapsed' | 'closed' | 'abandoned')
  | ('walk_ins_on' | 'walk_ins_off')
  | (
      | 'booking_made'
      | 'booking_confirmed'
      | 'booking_moved'
      | 'booking_cancelled'
      | 'booking_arrived'
      | 'booking_done'
      | 'booking_no_show'
      | 'booking_reopened'
    )
  | ('class_made' | 'class_changed' | 'class_cancelled' | 'weekly_class_made' | 'weekly_class_changed' | 'weekly_class_ended')
  | ('waitlist_joined' | 'waitlist_offered' | 'waitlist_left')
  | ('booking_held' | 'booking_lapsed');

export function logKindOf(move: Move, by: ChangedBy | null, leftBy: 'owner' | 'closing' | null): LogKind {
  if (move === 'noShow') return by ? 'no_show' : 'call_lapsed';
  if (move === 'complete') return by ? 'completed' : 'abandoned';
  if (move === 'leave') return leftBy === null ? 'cleared' : leftBy === 'closing' ? 'closed' : 'left';
  return ({ confirm: 'confirmed', call: 'called', recall: 'recalled', assign: 'assigned', convert: 'converted' } as const)[move];
}

export function logTitle(row: LoggedChange, timeZone: string): string {
  const name = nameOf(row);
  switch (row.kind) {
    case 'joined':
      return row.by_id === null ? `${name} joined the queue` : `${name} was added to the queue`;
    case 'confirmed':
      return `${name} was confirmed`;
    case 'claimed':
      return `${name} signed in and kept the place`;
    case 'called':
      return `${name} was called`;
    case 'recalled':
      return `The call of ${inSentence(name)} was taken back`;
    case 'assigned':
      return `${name} was given a chair`;
    case 'completed':
      return `${name} was served`;
    case 'no_show':
      return `${name} was marked as a no-show`;
    case 'call_lapsed':
      return `${name} was called and did not come in time`;
    case 'converted':
      return `${name} took a booking for later`;
    case 'left':
      return `${name} left the queue`;
    case 'cleared':
      return `${name} was taken off the queue, not confirmed`;
    case 'closed':
      return `${name} still waited after closing time`;
    case 'abandoned':
      return `The chair of ${inSentence(name)} was freed twelve hours after its time`;
    case 'reopened':
      return `${name} was brought back`;
    case 'walk_ins_on':
      return 'Walk-ins were switched on';
    case 'walk_ins_off':
      return row.until === null ? 'Walk-ins were switched off' : `Walk-ins were switched off until ${timeAtStore(row.until, timeZone)}`;
    case 'booking_made':
      return row.by_id === null ? `${name} booked a time` : `A time was booked for ${inSentence(name)}`;
    case 'booking_confirmed':
      return `The booking of ${inSentence(name)} was confirmed`;
    case 'booking_moved':
      return row.by_id === null ? `${name} moved the booking` : `The booking of ${inSentence(name)} was moved`;
    case 'booking_cancelled':
      return row.by_id === null ? `${name} cancelled the booking` : `The booking of ${inSentence(name)} was cancelled`;
    case 'booking_arrived':
      return `${name} came for the booking`;
    case 'booking_done':
      return `${name} was served, with a booking`;
    case 'booking_no_show':
      return `${name} did not come for the booking`;
    case 'booking_reopened':
      return `The booking of ${inSentence(name)} was brought back`;
    case 'class_made':
      return 'A class was made';
    case 'class_changed':
      return 'A class was changed';
    case 'class_cancelled':
      return 'A class was cancelled';
    case 'weekly_class_made':
      return 'A weekly class was made';
    case 'weekly_class_changed':
      return 'A weekly class was changed';
    case 'weekly_class_ended':
      return 'A weekly class was ended';
    case 'waitlist_joined':
      return `${name} waits for a place in a class`;
    case 'waitlist_offered':
      return `A place in a class is kept for ${inSentence(name)}`;
    case 'waitlist_left':
      return `${name} waits for a place in a class no more`;
    case 'booking_held':
      return `${name} is to pay the deposit of a booking`;
    case 'booking_lapsed':
      return `The booking of ${inSentence(name)} ended: its deposit was not paid in time`;
    default:
      return row.kind satisfies never;
  }
}

function nameOf({ customer_id, customer_name, guest_name }: LoggedChange): string {
  if (customer_id !== null) return customer_name ?? 'A customer';
  return guest_name === null || guest_name === 'Guest' ? 'A guest' : guest_name;
}

const inSentence = (name: string): string => (name === 'A customer' || name === 'A guest' ? `a${name.slice(1)}` : name);

interface LoggedChange {
  readonly kind: LogKind;
  readonly by_id: string | null;
  readonly customer_id: string | null;
  readonly customer_name: string | null;
  /** Null for a customer, and once erased. */
  readonly guest_name: string | null;
  /** Until when walk-ins were switched off, in epoch milliseconds. */
  readonly until: number | null;
}
