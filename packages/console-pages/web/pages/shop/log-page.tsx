import { useState } from 'react';
import { Link } from 'wouter';
import { Loaded, LogList, type LogRow, Page } from '../../components/index.ts';
import { useStore } from '../../shell/context.ts';
import { useFilters } from '../../shell/filters.ts';
import { useRead } from '../../shell/queries.ts';
import { CustomerLink } from './customer-link.tsx';
import { type LoyaltyLog, loyaltyLogPath } from './loyalty-operations.ts';
import { useZone } from './operations.ts';
import { queueLogPath } from './queue-operations.ts';
import { storeLogPath } from './switch-operations.ts';

const most = 100;
const first = 25;

const logs = {
  queue: { title: 'Queue', path: queueLogPath, types: ['queue.'] },
  cards: { title: 'Cards', path: loyaltyLogPath, types: ['stamp.', 'voucher.', 'multi_stamp.'] },
  menu: { title: 'Menu and pauses', path: storeLogPath, types: ['store.'] },
} as const;
type LogName = keyof typeof logs;
const names = Object.keys(logs) as LogName[];

type Row = Pick<LoyaltyLog['entries'][number], 'id' | 'at' | 'title'> &
  Partial<Pick<LoyaltyLog['entries'][number], 'customer_id' | 'customer_name'>> & {
    readonly detail?: string | null;
    readonly by: { readonly id: string; readonly name: string | null } | null;
  };

export default function LogPage() {
  const { id: storeId } = useStore();
  const zone = useZone();
  const [filters] = useFilters();
  const chosen = names.find((name) => name === filters.get('of')) ?? 'queue';
  const [limit, setLimit] = useState(first);
  const { path, types } = logs[chosen];
  const read = useRead<{ readonly entries: readonly Row[] }>(path(storeId, limit), { readAgainFor: { types, subjects: [storeId] } });
  return (
    <Page title="Log" about="What was done, and by whom. The log of an order is in its details." controls={<Tabs chosen={chosen} />}>
      <Loaded of={read}>
        {({ entries }) => (
          <>
            <LogList rows={entries.map(rowOf)} zone={zone} empty="Nothing was done yet." />
            {entries.length === limit && limit < most && (
              <button type="button" onClick={() => setLimit(most)}>
                Show more
              </button>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const rowOf = ({ id, at, title, detail, by, customer_id, customer_name }: Row): LogRow => ({
  key: id,
  at,
  title,
  detail,
  by: by && (by.name ?? by.id),
  more: customer_id && <CustomerLink customerId={customer_id} name={customer_name ?? 'Customer'} />,
});

const Tabs = ({ chosen }: { readonly chosen: LogName }) => (
  <nav className="tabs" aria-label="Logs">
    {names.map((name) => (
      <Link key={name} className="button" href={`?of=${name}`} replace aria-current={name === chosen ? 'page' : undefined}>
        {logs[name].title}
      </Link>
    ))}
  </nav>
);
