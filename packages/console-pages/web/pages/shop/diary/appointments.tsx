import { useState } from 'react';
import { ActionButton, Badge, Section } from '../../../components/index.ts';
import type { Reply } from '../../../logic/platform.ts';
import { announce } from '../../../shell/announce.tsx';
import { useRead } from '../../../shell/queries.ts';
import { refusalText } from '../refusal-text.ts';
import { type Appointment, type AppointmentStep, appointmentsPath, stepAppointment } from './appointment-operations.ts';
import { appointmentSteps, bookedBy, statusTexts } from './appointment-steps.ts';
import { timesText } from './booking-card.tsx';

interface Props {
  readonly storeId: string;
  readonly date: string;
  readonly zone: string;
}

const tones = { requested: 'warn', booked: 'info', arrived: 'good', done: 'quiet', no_show: 'warn', cancelled: 'quiet' } as const;

/** The appointments and classes of a day, by time: who comes, for what, on which chair, and what can be done. */
export function Appointments({ storeId, date, zone }: Props) {
  const { data } = useRead<Reply<'GET /api/v1/queue/stores/{store_id}/bookings'>>(appointmentsPath(storeId, date), {
    readAgainFor: { types: ['booking.', 'session.'], subjects: [storeId] },
    every: 60_000,
  });
  const [busy, setBusy] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const own = (data?.sessions ?? []).filter(({ source }) => source === 'own');
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
  if (own.length === 0) return null;
  return (
    <Section title="Appointments">
      {notice && <p role="alert">{notice}</p>}
      {own.map((session) => (
        <article key={session.session_id} className="booking" aria-label={timesText(session, zone)}>
          <p className="order-marks">
            <b>{timesText(session, zone)}</b>
            <span>{[session.service_name, session.unit_name].filter(Boolean).join(', ')}</span>
            {session.places > 1 && (
              <Badge tone="info">
                {session.taken} of {session.places} places
              </Badge>
            )}
          </p>
          {session.bookings.map((booking) => (
            <p key={booking.appointment_id} className="booking-buttons">
              <span>
                {bookedBy(booking)}
                {booking.party_size > 1 && `, ${booking.party_size} people`}
                {booking.guest_phone && `, ${booking.guest_phone}`}
              </span>
              <Badge tone={tones[booking.status]}>{statusTexts[booking.status]}</Badge>
              {appointmentSteps(booking, Date.now()).map(([step, label]) => (
                <ActionButton
                  key={step}
                  className="small"
                  busy={busy === booking.appointment_id}
                  onClick={() => busy === null && void run(booking, step, label)}
                >
                  {label}
                  <span className="unseen">: {bookedBy(booking)}</span>
                </ActionButton>
              ))}
            </p>
          ))}
        </article>
      ))}
    </Section>
  );
}
