import { type BookingStatus, changesUntil, depositState, type StoredDeposit, shownStatus } from './bookings.ts';
import type { Status } from './moves.ts';

export const bookingView = (booking: StoredBooking) => ({
  appointment_id: booking.appointment_id,
  session_id: booking.session_id,
  source: 'own' as const,
  store_id: booking.store_id,
  service_id: booking.service_id,
  service_name: booking.service_name,
  unit_id: booking.unit_id,
  unit_name: booking.unit_name,
  starts_at: booking.starts_at,
  ends_at: booking.ends_at,
  places: booking.places,
  status: shownStatus(booking.status),
  customer_id: booking.customer_id,
  guest_name: booking.guest_name,
  party_size: booking.party_size,
  made_at: booking.made_at,
  changes_until: instantOrNull(changesUntil(booking, booking.notice_minutes)),
  waitlist: booking.place_in_line === null ? null : { place: booking.place_in_line, offer_until: booking.offer_until },
  deposit: booking.deposit && {
    ...booking.deposit,
    booking_ref: booking.id,
    state: depositState(booking.deposit.state, booking.status),
  },
});

const instantOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

export const storeBookingView = (booking: StoredBooking) => ({ ...bookingView(booking), ...forStore(booking) });

const forStore = ({ customer_name, guest_phone, by_id, by_name }: ForStore) => ({
  customer_name,
  guest_phone,
  by: by_id === null ? null : { id: by_id, name: by_name },
});

/** A seat has the entry of the queue as its booking; a booking of the directory's diary names no one. */
export const diarySessionView = ({ bookings, entry, ...session }: StoredDiaryRow) => ({
  ...session,
  bookings: entry ? [storeEntryView(session, entry)] : bookings.map(storeBookingView),
});

export const entryBookingView = (session: DiarySession, entry: StoredEntry) => {
  const { taken: _taken, state: _state, ...time } = session;
  const { appointment_id, customer_id, guest_name, party_size, joined_at } = entry;
  const status = session.source === 'walk_in' ? statusOfEntry[entry.status] : 'booked';
  return { ...time, appointment_id, customer_id, guest_name, party_size, status, made_at: joined_at, changes_until: null };
};

const storeEntryView = (session: DiarySession, entry: StoredEntry) => ({ ...entryBookingView(session, entry), ...forStore(entry) });

const statusOfEntry: Readonly<Record<Status, ReturnType<typeof shownStatus>>> = {
  waiting: 'arrived',
  called: 'arrived',
  assigned: 'arrived',
  completed: 'done',
  left: 'cancelled',
  no_show: 'no_show',
  converted_to_appointment: 'booked',
};

interface ForStore {
  readonly customer_name: string | null;
  readonly guest_phone: string | null;
  readonly by_id: string | null;
  readonly by_name: string | null;
}

interface StoredBooking extends ForStore {
  readonly id: string;
  readonly appointment_id: string;
  readonly session_id: string;
  readonly store_id: string;
  readonly service_id: string;
  readonly service_name: string | null;
  readonly unit_id: string;
  readonly unit_name: string | null;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly places: number;
  readonly status: BookingStatus;
  readonly customer_id: string | null;
  readonly guest_name: string | null;
  readonly party_size: number;
  readonly made_at: string;
  readonly notice_minutes: number;
  readonly place_in_line: number | null;
  readonly offer_until: string | null;
  readonly deposit: {
    readonly item_id: string;
    readonly state: StoredDeposit;
    readonly pay_before: string;
    readonly order_id: string | null;
  } | null;
}

interface DiarySession {
  readonly session_id: string;
  readonly source: 'own' | 'walk_in' | 'upstream';
  readonly store_id: string;
  readonly service_id: string | null;
  readonly service_name: string | null;
  readonly unit_id: string;
  readonly unit_name: string | null;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly places: number;
  readonly taken: number;
  readonly state: 'open' | 'done' | 'cancelled';
}

interface StoredEntry extends ForStore {
  readonly appointment_id: string;
  readonly status: Status;
  readonly customer_id: string | null;
  readonly guest_name: string | null;
  readonly party_size: number;
  readonly joined_at: string;
}

interface StoredDiaryRow extends DiarySession {
  readonly bookings: readonly StoredBooking[];
  readonly entry: StoredEntry | null;
}
