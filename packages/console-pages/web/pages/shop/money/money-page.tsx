import type { DayOfMoney } from '@corner/console-api';
import { Link } from 'wouter';
import { Loaded, Notice, Page } from '../../../components/index.ts';
import { pathOf } from '../../../logic/match-route.ts';
import { useStore } from '../../../shell/context.ts';
import { useFilters } from '../../../shell/filters.ts';
import { useRead } from '../../../shell/queries.ts';
import { useZone } from '../operations.ts';
import { todayIn } from './day.ts';
import { DayEntries } from './day-entries.tsx';
import { Days } from './days.tsx';
import { type DayRange, paperPath, rangeFault, reportPath } from './report.ts';
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
      <Link className="button" href={`${pathOf('/shop/:storeId/proof', { storeId: store.id })}?from=${from}&to=${to}`}>
        Proof
      </Link>
      <a className="button" href={reportPath(store.id, range, 'csv')} download>
        CSV
      </a>
      {from === to && report.data?.days[0]?.closed && (
        <a className="button" href={paperPath(store.id, from)} download>
          PDF
        </a>
      )}
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
