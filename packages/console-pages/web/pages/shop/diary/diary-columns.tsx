import { type CSSProperties, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Loaded, Notice } from '../../../components/index.ts';
import { useNow } from '../../../components/use-now.ts';
import { pathOf } from '../../../logic/match-route.ts';
import { useRead } from '../../../shell/queries.ts';
import { type QueueReply, queuePath } from '../queue-operations.ts';
import type { Floor } from '../settings/index.ts';
import type { Session } from './appointment-operations.ts';
import { useAppointments } from './appointments.tsx';
import { BookingCard, timesText } from './booking-card.tsx';
import { BookingDialog, CancelDialog } from './booking-dialog.tsx';
import { byChair, clashesOf, dayBounds } from './diary-day.ts';
import { type GridDay, gridDay, type Placed, placed } from './diary-grid.ts';
import { type ListedBooking, useDiary } from './diary-operations.ts';
import { type Party, partiesOf } from './diary-parties.ts';
import { useBookingSteps } from './use-booking-steps.ts';

interface DayProps {
  readonly storeId: string;
  readonly date: string;
  readonly zone: string;
  readonly chairs: Floor['units'];
  readonly isToday: boolean;
}

/** The expected chairs of walk-ins change with time alone, which no event announces. */
const readEveryMs = 30_000;

export function DiaryDay({ storeId, date, zone, chairs, isToday }: DayProps) {
  const read = useDiary(storeId, date, zone);
  const queue = useRead<QueueReply>(queuePath(storeId), { readAgainFor: { types: ['queue.'], subjects: [storeId] }, every: readEveryMs });
  const own = useAppointments(storeId, date, zone);
  const steps = useBookingSteps(storeId);
  const [moving, move] = useState<string | null>(null);
  const [cancelling, cancel] = useState<string | null>(null);
  const find = (id: string | null) => read.data?.find((booking) => booking.id === id);
  const [moved, cancelled] = [find(moving), find(cancelling)];
  const parties = isToday ? partiesOf(queue.data?.entries ?? []) : [];
  return (
    <>
      <Notice text={own.notice ?? steps.notice} />
      {own.sessions
        .filter(({ unit_id }) => !chairs.some(({ id }) => id === unit_id))
        .map((one) => (
          <div key={one.session_id}>{own.card(one)}</div>
        ))}
      <Loaded of={read}>
        {(bookings) => {
          const clashes = clashesOf(bookings);
          const taken = [...bookings.map(spanOf), ...own.sessions.map(spanOf), ...parties];
          const grid = gridDay({ date, ...dayBounds(date, zone) }, zone, chairs, taken);
          const card = (booking: ListedBooking) => (
            <BookingCard
              {...{ booking, zone }}
              clashes={clashes.has(booking.id)}
              isBusy={steps.busy === booking.id}
              onStep={steps.set}
              onMove={() => move(booking.id)}
              onCancel={() => cancel(booking.id)}
            />
          );
          return (
            <div className="diary" style={{ '--rows': grid.hours.length } as CSSProperties}>
              <Hours grid={grid} isToday={isToday} />
              {byChair(bookings, chairs).map(({ chair, bookings: of }) => (
                <Chair
                  key={chair?.id ?? 'gone'}
                  name={chair?.name ?? 'Chairs that are gone'}
                  {...{ grid, zone, storeId, card }}
                  bookings={of}
                  appointments={own.sessions.filter(({ unit_id }) => unit_id === chair?.id)}
                  appointmentCard={own.card}
                  parties={parties.filter(({ unitId }) => unitId === chair?.id)}
                />
              ))}
            </div>
          );
        }}
      </Loaded>
      {moved && <BookingDialog {...{ storeId, zone, chairs, date }} services={[]} booking={moved} onClose={() => move(null)} />}
      {cancelled && <CancelDialog {...{ storeId, zone }} booking={cancelled} onClose={() => cancel(null)} />}
    </>
  );
}

const spanOf = ({ starts_at, ends_at }: Pick<ListedBooking, 'starts_at' | 'ends_at'>) => ({
  from: Date.parse(starts_at),
  to: Date.parse(ends_at),
});

function Hours({ grid, isToday }: { readonly grid: GridDay; readonly isToday: boolean }) {
  const now = useNow();
  const isNow = isToday && now >= grid.from && now < grid.to;
  return (
    <div className="diary-hours" aria-hidden="true">
      {grid.hours.map(({ at, text }) => (
        <span key={at}>{text}</span>
      ))}
      {isNow && <i style={{ '--top': (now - grid.from) / 60_000 } as CSSProperties} />}
    </div>
  );
}

interface ChairProps {
  readonly name: string;
  readonly grid: GridDay;
  readonly zone: string;
  readonly storeId: string;
  readonly bookings: readonly ListedBooking[];
  readonly appointments: readonly Session[];
  readonly parties: readonly Party[];
  card(booking: ListedBooking): ReactNode;
  appointmentCard(session: Session): ReactNode;
}

function Chair({ name, grid, zone, storeId, bookings, appointments, parties, card, appointmentCard }: ChairProps) {
  const all = [
    ...bookings.map((booking) => ({ ...spanOf(booking), key: booking.id, shown: card(booking) })),
    ...appointments.map((one) => ({ ...spanOf(one), key: one.session_id, shown: appointmentCard(one) })),
    ...parties.map((party) => ({ ...party, shown: <PartyCard {...{ party, zone, storeId }} /> })),
  ].toSorted((a, b) => a.from - b.from);
  const places = placed(all, grid);
  return (
    <section className="diary-chair" aria-label={name}>
      <h2>{name}</h2>
      {all.length === 0 && <p className="quiet">nothing booked</p>}
      <ul>
        {all.map(({ key, shown }, index) => (
          <li key={key} style={styleOf(places[index])}>
            {shown}
          </li>
        ))}
      </ul>
    </section>
  );
}

const styleOf = (place: Placed | undefined): CSSProperties =>
  ({ '--top': place?.top, '--minutes': place?.minutes, '--track': place?.track, '--tracks': place?.tracks }) as CSSProperties;

function PartyCard({ party, zone, storeId }: { readonly party: Party; readonly zone: string; readonly storeId: string }) {
  const times = timesText({ starts_at: new Date(party.from).toISOString(), ends_at: new Date(party.to).toISOString() }, zone);
  return (
    <article className={party.isSeated ? 'booking walk-in' : 'booking walk-in expected'} aria-label={`${party.name}, ${times}`}>
      <p className="order-marks">
        <b>{times}</b>
        <Link href={pathOf('/shop/:storeId/queue', { storeId })}>{party.name}</Link>
        <span>{party.text}</span>
      </p>
    </article>
  );
}
