import type { DayOfMoney } from '@corner/console-api';
import { useMemo } from 'react';
import { Ago, Badge, type Column, Empty, Instant, Section, Table } from '../../../components/index.ts';
import { money } from '../../../logic/format.ts';
import { useStyle } from '../../../shell/use-style.ts';
import hourStyle from '../../../styles/money.css' with { type: 'text' };
import { OrderLink } from '../order-link.tsx';
import { byDeadline, csvAddress, type Hour, hoursOf } from './day.ts';

export function DayEntries({ day, timeZone }: { readonly day: DayOfMoney; readonly timeZone: string | undefined }) {
  const columns = useMemo(() => columnsIn(day.currency, timeZone), [day.currency, timeZone]);
  const csv = (
    <a className="button" href={csvAddress(day.store_id, day.date)} download>
      Entries as CSV
    </a>
  );
  return (
    <>
      {day.disputes.length > 0 && <Disputes day={day} timeZone={timeZone} />}
      <Section title="By the hour">
        <HourBars hours={hoursOf(day.entries, timeZone)} currency={day.currency} />
      </Section>
      <Section title="Entries" controls={csv}>
        {day.entries.length === 0 ? (
          <Empty title="No money moved on this day." />
        ) : (
          <Table caption="Entries of the day" rows={day.entries} columns={columns} rowKey={entryKey} />
        )}
      </Section>
    </>
  );
}

type MoneyEntry = DayOfMoney['entries'][number];
const entryKey = ({ at, order_id, kind, amount }: MoneyEntry): string => `${at} ${order_id} ${kind} ${amount}`;

const columnsIn = (currency: string, zone: string | undefined): readonly Column<MoneyEntry>[] => [
  {
    key: 'at',
    header: 'Time',
    value: ({ at }) => at,
    cell: ({ at }) => <Instant at={at} style="time" zone={zone} />,
    width: '8rem',
  },
  { key: 'kind', header: 'Kind', value: ({ kind }) => kind, cell: ({ kind }) => kind.replaceAll('_', ' ') },
  {
    key: 'order',
    header: 'Order',
    value: ({ order_number, order_id }) => order_number ?? order_id,
    cell: ({ order_number, order_id }) => <OrderLink orderId={order_id} number={order_number} />,
  },
  { key: 'fee', header: 'Fee', numeric: true, value: ({ fee }) => fee, cell: ({ fee }) => (fee ? money(-fee, currency) : '–') },
  { key: 'amount', header: 'Amount', numeric: true, value: ({ amount }) => amount, cell: ({ amount }) => money(amount, currency) },
];

const Disputes = ({ day, timeZone }: { readonly day: DayOfMoney; readonly timeZone: string | undefined }) => (
  <Section title="Disputes">
    <ul className="cards">
      {byDeadline(day.disputes).map(({ order_id, order_number, state, amount, respond_by }) => (
        <li key={order_id} className="card">
          <div>
            <h3 className="card-title">
              <OrderLink orderId={order_id} number={order_number} />
            </h3>
            <p className="order-marks">
              <Badge tone="bad">{state.replaceAll('_', ' ')}</Badge>
              <b>{money(amount, day.currency)}</b>
            </p>
          </div>
          {respond_by && (
            <p>
              answer by <Instant at={respond_by} zone={timeZone} />, <Ago at={respond_by} />
            </p>
          )}
        </li>
      ))}
    </ul>
  </Section>
);

const height = 120;
const width = 24;

function HourBars({ hours, currency }: { readonly hours: readonly Hour[]; readonly currency: string }) {
  useStyle(hourStyle);
  const most = Math.max(1, ...hours.map(({ taken, returned }) => Math.max(taken, returned)));
  const tall = (amount: number) => Math.round((amount / most) * (height - 8));
  const best = hours.reduce((before, hour) => (hour.taken > before.taken ? hour : before), hours[0] ?? { hour: 0, taken: 0, returned: 0 });
  const said = best.taken > 0 ? `Most was taken from ${best.hour}:00, ${money(best.taken, currency)}.` : 'Nothing was taken.';
  return (
    <figure className="hour-bars">
      <svg viewBox={`0 0 ${24 * width} ${height + 40}`} role="img" aria-label={said} preserveAspectRatio="none">
        {hours.map(({ hour, taken, returned }) => (
          <g key={hour}>
            <rect className="bar-taken" x={hour * width + 3} width={width - 6} y={height - tall(taken)} height={tall(taken)} />
            <rect className="bar-returned" x={hour * width + 3} width={width - 6} y={height + 1} height={Math.min(36, tall(returned))} />
          </g>
        ))}
        <line className="hour-axis" x1={0} x2={24 * width} y1={height} y2={height} />
      </svg>
      <div className="hour-names" aria-hidden="true">
        {[0, 6, 12, 18].map((hour) => (
          <span key={hour}>{String(hour).padStart(2, '0')}:00</span>
        ))}
      </div>
      <figcaption className="quiet">{said}</figcaption>
    </figure>
  );
}
