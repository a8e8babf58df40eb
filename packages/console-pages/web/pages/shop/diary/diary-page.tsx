import { addDays, wallTimeAt } from '@corner/page-kit/logic/zones';
import { useState } from 'react';
import { Empty, Linked, Loaded, Page } from '../../../components/index.ts';
import { useStore } from '../../../shell/context.ts';
import { useFilters } from '../../../shell/filters.ts';
import { useRead } from '../../../shell/queries.ts';
import { useStyle } from '../../../shell/use-style.ts';
import diaryStyle from '../../../styles/diary.css' with { type: 'text' };
import { useZone } from '../operations.ts';
import { type Floor, floorObject, useSavedStore } from '../settings/index.ts';
import { AppointmentDialog } from './appointment-dialog.tsx';
import { BookingDialog } from './booking-dialog.tsx';
import { ClassDialog } from './class-dialogs.tsx';
import { DiaryDay } from './diary-columns.tsx';
import { WeeklyClasses } from './weekly-classes.tsx';

export default function DiaryPage() {
  useStyle(diaryStyle);
  const { id: storeId } = useStore();
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
  const [booking, book] = useState(false);
  const [adding, add] = useState(false);
  const services = floor.data?.floor.services ?? [];
  const chairs = floor.data?.floor.units ?? [];
  const cannotBook = chairs.length === 0 || services.length === 0 || !zone;
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
      <button type="button" className="primary" aria-haspopup="dialog" disabled={cannotBook} onClick={() => book(true)}>
        Book for a customer
      </button>
      <button type="button" aria-haspopup="dialog" disabled={cannotBook} onClick={() => add(true)}>
        Add a class
      </button>
      <button type="button" aria-haspopup="dialog" disabled={chairs.length === 0 || !zone} onClick={() => write(true)}>
        Block a time
      </button>
    </>
  );
  return (
    <Page title="Diary" about={dayText(date)} controls={<div className="day-controls">{controls}</div>}>
      <Loaded of={floor}>
        {() =>
          chairs.length === 0 ? (
            <Empty title="The store has no chairs.">
              <Linked text="A manager adds them in Settings, Floor and rota." />
            </Empty>
          ) : (
            zone && (
              <>
                <DiaryDay key={date} {...{ storeId, date, zone, chairs }} isToday={date === today} />
                {services.length > 0 && <WeeklyClasses {...{ storeId, chairs, services }} />}
              </>
            )
          )
        }
      </Loaded>
      {writing && zone && <BookingDialog {...{ storeId, zone, chairs, services, date }} onClose={() => write(false)} />}
      {booking && zone && <AppointmentDialog {...{ storeId, zone, chairs, services, date }} onClose={() => book(false)} />}
      {adding && zone && <ClassDialog {...{ storeId, zone, chairs, services, date }} onClose={() => add(false)} />}
    </Page>
  );
}

/** The date is a day of the store, whatever the zone of the browser. */
const dayText = (date: string): string =>
  new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${date}T12:00:00Z`),
  );
