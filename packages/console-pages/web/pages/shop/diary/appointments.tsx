import { type ReactNode, useState } from 'react';
import { ActionButton, Badge } from '../../../components/index.ts';
import type { Reply } from '../../../logic/platform.ts';
import { announce } from '../../../shell/announce.tsx';
import { useRead } from '../../../shell/queries.ts';
import { CustomerLink } from '../customer-link.tsx';
import { refusalText } from '../refusal-text.ts';
import { WriteMessage } from '../write-message.tsx';
import { type Appointment, type AppointmentStep, appointmentsPath, type Session, stepAppointment } from './appointment-operations.ts';
import { appointmentSteps, bookedBy, statusText } from './appointment-steps.ts';
import { timesText } from './booking-card.tsx';
import { CancelClass } from './class-dialogs.tsx';

/**
 * `sessions` are the appointments and classes by time, with the cancelled ones. `notice` is why the last step failed; null when it did not.
 */
interface DayOfAppointments {
  readonly sessions: readonly Session[];
  readonly notice: string | null;
  card(session: Session): ReactNode;
}

export function useAppointments(storeId: string, date: string, zone: string): DayOfAppointments {
  const { data } = useRead<Reply<'GET /api/v1/queue/stores/{store_id}/bookings'>>(appointmentsPath(storeId, date), {
    readAgainFor: { types: ['booking.', 'session.', 'waitlist.'], subjects: [storeId] },
    every: 60_000,
  });
  const [busy, setBusy] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const run = async (booking: Appointment, step: AppointmentStep, label: string) => {
    setBusy(booking.appointment_id);
    setNotice(null);
    try {
      await stepAppointment(booking, step);
      announce(`${bookedBy(booking)}: ${label}.`);
    } catch (error) {
      setNotice(refusalText(error, 'The booking'));
    } finally {
      setBusy(null);
    }
  };
  return {
    sessions: (data?.sessions ?? []).filter(({ source }) => source === 'own'),
    notice,
    card: (session) => (
      <SessionCard {...{ session, zone, busy }} onStep={(booking, step, label) => busy === null && void run(booking, step, label)} />
    ),
  };
}

interface CardProps {
  readonly session: Session;
  readonly zone: string;
  readonly busy: string | null;
  onStep(booking: Appointment, step: AppointmentStep, label: string): void;
}

function SessionCard({ session, zone, busy, onStep }: CardProps) {
  const times = timesText(session, zone);
  const [cancelling, cancel] = useState(false);
  return (
    <article className={session.state === 'open' ? 'booking' : 'booking over'} aria-label={times}>
      <p className="order-marks">
        <b>{times}</b>
        <span>{session.service_name}</span>
        {session.places > 1 && (
          <Badge tone="info">
            {session.taken} of {session.places} places
          </Badge>
        )}
        {session.state === 'cancelled' && <Badge>cancelled</Badge>}
      </p>
      {session.bookings.map((booking) => (
        <p key={booking.appointment_id} className="booking-buttons">
          <span>
            <CustomerLink customerId={booking.customer_id} name={bookedBy(booking)} />
            {booking.party_size > 1 && `, ${booking.party_size} people`}
            {booking.guest_phone && `, ${booking.guest_phone}`}
          </span>
          <Badge tone={tones[booking.status]}>{statusText(booking)}</Badge>
          {appointmentSteps(booking, Date.now()).map(([step, label]) => (
            <ActionButton key={step} className="small" busy={busy === booking.appointment_id} onClick={() => onStep(booking, step, label)}>
              {label}
              <span className="unseen">: {bookedBy(booking)}</span>
            </ActionButton>
          ))}
          <WriteMessage customerId={booking.customer_id} name={bookedBy(booking)} />
        </p>
      ))}
      {session.places > 1 && session.state === 'open' && (
        <p className="booking-buttons">
          <button type="button" className="small" aria-haspopup="dialog" onClick={() => cancel(true)}>
            Cancel the class<span className="unseen"> of {times}</span>
          </button>
        </p>
      )}
      {cancelling && <CancelClass {...{ session, zone }} onClose={() => cancel(false)} />}
    </article>
  );
}

const tones = { requested: 'warn', booked: 'info', arrived: 'good', done: 'quiet', no_show: 'warn', cancelled: 'quiet' } as const;
