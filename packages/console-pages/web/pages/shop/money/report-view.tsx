import { useMemo } from 'react';
import { type Column, Empty, Instant, Loaded, Section, Table } from '../../../components/index.ts';
import { count, money } from '../../../logic/format.ts';
import { useRead } from '../../../shell/queries.ts';
import { OrderLink } from '../order-link.tsx';
import { comparedOf, detailsOf, type Line, type ReportReply, rateText, type TipsReply, tipsPath } from './report.ts';

interface ReportProps {
  readonly report: ReportReply;
  readonly storeId: string;
  readonly timeZone: string | undefined;
}

export function Report({ report, storeId, timeZone }: ReportProps) {
  const { total, currency, days } = report;
  const amount = (minor: number) => money(minor, currency);
  const columns = useMemo(() => columnsIn(currency), [currency]);
  return (
    <>
      <dl className="sums">
        <Sum label="Orders" value={count(total.orders.paid)} />
        <Sum label="Taken" value={amount(total.gross_pence)} />
        <Sum label="Refunded" value={amount(-total.refunds.store_pence)} />
        <Sum label="Fees" value={amount(-total.fees.platform_pence)} />
        {total.disputes.store_pence !== 0 && <Sum label="Disputes" value={amount(-total.disputes.store_pence)} />}
        <Sum label="Net" value={amount(total.net_pence)} isMain />
      </dl>
      <p className="provider-balance quiet">
        <BalanceLine of={report} timeZone={timeZone} />
      </p>
      {days.length > 1 && (
        <Section title="By day">
          <Table caption="Figures of each day" rows={days} columns={columns.days} rowKey={({ date }) => date} />
        </Section>
      )}
      <Section title="Details">
        <Table caption="Details of the range" rows={detailsOf(total, currency)} columns={lines} rowKey={({ label }) => label} />
      </Section>
      {total.vat.length > 0 && (
        <Section title="VAT">
          <Table caption="VAT by rate" rows={total.vat} columns={columns.vat} rowKey={({ rate_bps }) => String(rate_bps)} />
        </Section>
      )}
      {report.items.length > 0 && (
        <Section title="Items">
          <Table caption="Items sold" rows={itemsOf(report)} columns={columns.items} rowKey={({ name }) => name} />
        </Section>
      )}
      {total.tips.orders > 0 || total.tips.refunded_pence !== 0 ? <Tips {...{ report, storeId, timeZone }} /> : null}
    </>
  );
}

const Sum = ({ label, value, isMain = false }: { readonly label: string; readonly value: string; readonly isMain?: boolean }) => (
  <div className={isMain ? 'sum main' : 'sum'}>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);

function BalanceLine({ of, timeZone }: { readonly of: ReportReply; readonly timeZone: string | undefined }) {
  const { agrees, agreed_at, differences, difference_pence } = of.provider_balance;
  if (agreed_at === null) return <>Not compared with the provider’s balance yet.</>;
  const at = <Instant at={agreed_at} zone={timeZone} />;
  const compared = comparedOf(of, agreed_at, timeZone);
  if (agrees && compared === 'all') return <>Agrees with the provider’s balance.</>;
  if (agrees && compared === 'none') return <>Not compared with the provider’s balance yet: the last comparison was at {at}.</>;
  if (agrees) return <>What came and went up to {at} agrees with the provider’s balance. Later entries are not compared yet.</>;
  return (
    <>
      Differs from the provider’s balance by {money(difference_pence, of.currency)}, in{' '}
      {differences === 1 ? 'one entry' : `${count(differences)} entries`}, since {at}. The platform’s operator sees it too.
    </>
  );
}

function Tips({ report, storeId, timeZone }: ReportProps) {
  const read = useRead(tipsPath(storeId, report));
  const columns = useMemo(() => tipColumns(report.currency, timeZone), [report.currency, timeZone]);
  const csv = (
    <a className="button" href={tipsPath(storeId, report, 'csv')} download>
      Tips as CSV
    </a>
  );
  return (
    <Section title="Tips" controls={csv}>
      <Loaded of={read}>
        {({ tips, next }) => (
          <>
            {tips.length === 0 && <Empty title="No order had a tip." />}
            {tips.length > 0 && <Table caption="Tips of orders" rows={tips} columns={columns} rowKey={tipKey} />}
            {next !== null && <p className="quiet">These are the first {count(tips.length)}. The table for a spreadsheet has more.</p>}
          </>
        )}
      </Loaded>
    </Section>
  );
}

type Tip = TipsReply['tips'][number];
const tipKey = ({ at, order_id, tip_pence }: Tip): string => `${at} ${order_id} ${tip_pence}`;

const tipColumns = (currency: string, zone: string | undefined): readonly Column<Tip>[] => [
  { key: 'at', header: 'Time', value: ({ at }) => at, cell: ({ at }) => <Instant at={at} zone={zone} /> },
  {
    key: 'order',
    header: 'Order',
    value: ({ order_number }) => order_number,
    cell: ({ order_number, order_id }) => <OrderLink orderId={order_id} number={order_number} />,
  },
  { key: 'tip', header: 'Tip', numeric: true, value: ({ tip_pence }) => tip_pence, cell: ({ tip_pence }) => money(tip_pence, currency) },
];

const lines: readonly Column<Line>[] = [
  { key: 'label', header: 'Figure', cell: ({ label }) => label },
  { key: 'value', header: 'Amount', numeric: true, cell: ({ value }) => value },
];

type Item = ReportReply['items'][number];

const itemsOf = ({ items, other_items }: ReportReply): readonly Item[] => [
  ...items,
  ...(other_items.names === 0 ? [] : [{ ...other_items, name: `${count(other_items.names)} others` }]),
];

type DayRow = ReportReply['days'][number];
type VatRow = ReportReply['total']['vat'][number];

function columnsIn(currency: string) {
  const sum = <T,>(key: string, header: string, of: (row: T) => number): Column<T> => ({
    key,
    header,
    numeric: true,
    value: of,
    cell: (row) => money(of(row), currency),
  });
  const days: readonly Column<DayRow>[] = [
    { key: 'date', header: 'Day', value: ({ date }) => date, cell: ({ date }) => date },
    { key: 'orders', header: 'Orders', numeric: true, value: ({ orders }) => orders.paid, cell: ({ orders }) => count(orders.paid) },
    sum('taken', 'Taken', ({ gross_pence }) => gross_pence),
    sum('refunded', 'Refunded', ({ refunds }) => -refunds.store_pence),
    sum('fees', 'Fees', ({ fees }) => -fees.platform_pence),
    sum('tips', 'Tips', ({ tips }) => tips.amount_pence - tips.refunded_pence),
    sum('net', 'Net', ({ net_pence }) => net_pence),
  ];
  const vat: readonly Column<VatRow>[] = [
    { key: 'rate', header: 'Rate', value: ({ rate_bps }) => rate_bps ?? -1, cell: ({ rate_bps }) => rateText(rate_bps) },
    sum('net', 'Net', ({ net_pence }) => net_pence),
    sum('vat', 'VAT', ({ vat_pence }) => vat_pence),
    sum('gross', 'Gross', ({ gross_pence }) => gross_pence),
  ];
  const items: readonly Column<Item>[] = [
    { key: 'name', header: 'Item', value: ({ name }) => name, cell: ({ name }) => name },
    { key: 'quantity', header: 'Sold', numeric: true, value: ({ quantity }) => quantity, cell: ({ quantity }) => count(quantity) },
    sum('amount', 'Amount', ({ amount_pence }) => amount_pence),
  ];
  return { days, vat, items };
}
