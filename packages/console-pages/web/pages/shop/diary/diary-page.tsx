import { addDays, wallTimeAt } from '@corner/page-kit/logic/zones';
import { useState } from 'react';
import { Empty, Loaded, Notice, Page } from '../../../components/index.ts';
import { announce } from '../../../shell/announce.tsx';
import { useStore } from '../../../shell/context.ts';
import { useFilters } from '../../../shell/filters.ts';
import { useRead } from '../../../shell/queries.ts';
import { useStyle } from '../../../shell/use-style.ts';
import diaryStyle from '../../../styles/diary.css' with { type: 'text' };
import { useZone } from '../operations.ts';
import { refusalText } from '../refusal-text.ts';
import { type Floor, floorObject, useSavedStore } from '../settings/index.ts';
import { BookingCard } from './booking-card.tsx';
import { BookingDialog, CancelDialog } from './booking-dialog.tsx';
import { type BookingState, byChair, clashesOf } from './diary-day.ts';
import { changeBooking, type ListedBooking, useDiary } from './diary-operations.ts';

/** The bookings of a store by day and chair. */
export default function DiaryPage() {
  useStyle(diaryStyle);
  const { id: storeId } = useStore();
  // A store that is dark is not listed, so its staff learn no zone.
  const saved = useSavedStore();
  const zone = useZone() ?? saved?.time_zone;
  const floor = useRead<{ readonly floor: Floor }>(floorObject.path(storeId), { readAgainFor: { types: ['floor'], subjects: [storeId] } });
  const [search, change] = useFilters();
  const [now] = useState(Date.now);
  const today = wallTimeAt(now, zone ?? 'UTC').date;
  const asked = search.get('date') ?? '';
  const date = /^\d{4}-\d\d-\d\d$/.test(asked) ? asked : today;
  const go = (day: string) => change({ date: day === today ? '' : day });
  const [writing, write] = useState(false);
  const services = floor.data?.floor.services ?? [];
  const chairs = floor.data?.floor.units ?? [];
  const controls = (
    <>
      <button type="button" aria-label="Day before" onClick={() => go(addDays(date, -1))}>
        ‹
      </button>
      <input type="date" aria-label="Day" value={date} onChange={({ target }) => target.value && go(target.value)} />
      <button type="button" aria-label="Day after" onClick={() => go(addDays(date, 1))}>
        ›
      </button>
      {date !== today && (
        <button type="button" onClick={() => go(today)}>
          Today
        </button>
      )}
      <button type="button" className="primary" aria-haspopup="dialog" disabled={chairs.length === 0 || !zone} onClick={() => write(true)}>
        Add a booking
      </button>
    </>
  );
  return (
    <Page title="Diary" about={dayText(date)} controls={<div className="day-controls">{controls}</div>}>
      <Loaded of={floor}>
        {() =>
          chairs.length === 0 ? (
            <Empty title="The store has no chairs.">A manager adds them in the settings, under Floor and rota.</Empty>
          ) : (
            zone && <Day {...{ storeId, date, zone, chairs }} />
          )
        }
      </Loaded>
      {writing && zone && <BookingDialog {...{ storeId, zone, chairs, services, date }} onClose={() => write(false)} />}
    </Page>
  );
}

/** The date is a day of the store, whatever the zone of the browser. */
const dayText = (date: string): string =>
  new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${date}T12:00:00Z`),
  );

interface DayProps {
  readonly storeId: string;
  readonly date: string;
  readonly zone: string;
  readonly chairs: Floor['units'];
}

function Day({ storeId, date, zone, chairs }: DayProps) {
  const read = useDiary(storeId, date, zone);
  const steps = useSteps(storeId);
  const [moving, move] = useState<string | null>(null);
  const [cancelling, cancel] = useState<string | null>(null);
  const find = (id: string | null) => read.data?.find((booking) => booking.id === id);
  const [moved, cancelled] = [find(moving), find(cancelling)];
  return (
    <>
      <Notice text={steps.notice} />
      <Loaded of={read}>
        {(bookings) => {
          const clashes = clashesOf(bookings);
          return (
            <div className="diary">
              {byChair(bookings, chairs).map(({ chair, bookings: of }) => (
                <section key={chair?.id ?? 'gone'} className="diary-chair" aria-label={chair?.name ?? 'Chairs that are gone'}>
                  <h2>{chair?.name ?? 'Chairs that are gone'}</h2>
                  {of.length === 0 && <p className="quiet">nothing booked</p>}
                  <ul>
                    {of.map((booking) => (
                      <li key={booking.id}>
                        <BookingCard
                          {...{ booking, zone }}
                          clashes={clashes.has(booking.id)}
                          isBusy={steps.busy === booking.id}
                          onStep={steps.set}
                          onMove={() => move(booking.id)}
                          onCancel={() => cancel(booking.id)}
                        />
                      </li>
                    ))}
                  </ul>
                </section>
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

/** Sets states of bookings, one after another, and offers to undo the last one. */
function useSteps(storeId: string) {
  const [busy, setBusy] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const run = async (booking: ListedBooking, state: BookingState) => {
    setBusy(booking.id);
    setNotice(null);
    try {
      await changeBooking(storeId, booking, { state });
      announce(`The booking is ${state}.`, async () => {
        await changeBooking(storeId, { ...booking, version: booking.version + 1 }, { state: booking.state });
        return `The booking is ${booking.state} again.`;
      });
    } catch (error) {
      setNotice(refusalText(error, 'The booking'));
    } finally {
      setBusy(null);
    }
  };
  return { busy, notice, set: (booking: ListedBooking, state: BookingState) => void (busy === null && run(booking, state)) };
}
