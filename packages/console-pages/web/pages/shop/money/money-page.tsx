import type { DayOfMoney } from '@corner/console-api';
import { Loaded, Notice, Page } from '../../../components/index.ts';
import { useStore } from '../../../shell/context.ts';
import { useFilters } from '../../../shell/filters.ts';
import { useRead } from '../../../shell/queries.ts';
import { useZone } from '../operations.ts';
import { todayIn } from './day.ts';
import { DayEntries } from './day-entries.tsx';
import { type DayRange, neighbour, rangeFault, reportPath } from './report.ts';
import { Report } from './report-view.tsx';

export default function MoneyPage() {
  const store = useStore();
  const [search, change] = useFilters();
  const timeZone = useZone();
  const today = todayIn(new Date(), timeZone);
  const from = search.get('from') ?? search.get('date') ?? today;
  const to = search.get('to') ?? from;
  const range = { from, to };
  const fault = rangeFault(range);
  const readAgainFor = { types: ['order.', 'payment.'], subjects: [store.id] };
  const report = useRead(fault ? null : reportPath(store.id, range), { readAgainFor });
  const day = useRead<DayOfMoney>(from === to ? `/api/shop/${store.id}/money?date=${encodeURIComponent(from)}` : null, { readAgainFor });
  const go = (wanted: DayRange) =>
    change({ date: '', from: wanted.from === today ? '' : wanted.from, to: wanted.to === wanted.from ? '' : wanted.to });
  const controls = (
    <>
      <Days range={range} today={today} go={go} />
      <a className="button" href={reportPath(store.id, range, 'csv')} download>
        CSV
      </a>
    </>
  );
  const days = from === to ? (from === today ? 'today' : from) : `${from} to ${to}`;
  return (
    <Page title="Money" about={`${store.name}, ${days}`} controls={controls}>
      <Notice text={fault} />
      {fault === null && <Loaded of={report}>{(of) => <Report report={of} storeId={store.id} timeZone={timeZone} />}</Loaded>}
      {from === to && <Loaded of={day}>{(of) => <DayEntries day={of} timeZone={timeZone} />}</Loaded>}
    </Page>
  );
}

interface DaysProps {
  readonly range: DayRange;
  readonly today: string;
  readonly go: (wanted: DayRange) => void;
}

function Days({ range, today, go }: DaysProps) {
  const { from, to } = range;
  const later = neighbour(range, 1);
  return (
    <>
      <button type="button" aria-label={from === to ? 'Day before' : 'Days before'} onClick={() => go(neighbour(range, -1))}>
        ‹
      </button>
      <input
        type="date"
        aria-label="From"
        value={from}
        max={today}
        onChange={({ target: { value } }) => value && go({ from: value, to: from === to || value > to ? value : to })}
      />
      <input
        type="date"
        aria-label="To"
        value={to}
        min={from}
        max={today}
        onChange={({ target: { value } }) => value && go({ from, to: value })}
      />
      <button type="button" aria-label={from === to ? 'Day after' : 'Days after'} disabled={later.from > today} onClick={() => go(later)}>
        ›
      </button>
    </>
  );
}
