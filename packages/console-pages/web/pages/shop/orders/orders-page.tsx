import { useCallback, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { Failure, Loading, Notice, Page, Switch } from '../../../components/index.ts';
import { useNow } from '../../../components/use-now.ts';
import { pathOf } from '../../../logic/match-route.ts';
import { useStore } from '../../../shell/context.ts';
import { useFilters } from '../../../shell/filters.ts';
import { useRead } from '../../../shell/queries.ts';
import { PauseSwitch } from '../menu/index.ts';
import { type Order, type OrderFilter, orderAt, useZone } from '../operations.ts';
import { type Column, type Columns, columns as names } from '../order-columns.ts';
import { PrinterFaults, useOwnTickets } from '../printers/index.ts';
import { enterFullScreen } from './board/full-screen.ts';
import { FoundOrders, OrderSearch } from './found-orders.tsx';
import { useNewOrders } from './new-orders.ts';
import { OrderCard } from './order-card.tsx';
import { columnTexts, OrderColumn } from './order-column.tsx';
import { OrderDialog } from './order-dialog.tsx';
import { useBell } from './use-bell.ts';
import { isAsked } from './use-found-orders.ts';
import { useFirstPages, useOrders } from './use-orders.ts';
import { useSteps } from './use-steps.ts';
import { useWakeLock } from './use-wake-lock.ts';

export default function OrdersPage() {
  const store = useStore();
  const { columns, live, ended, changes, error, readAnew } = useOrders(store.id);
  const steps = useSteps(store, changes);
  const [filter, setFilter] = useOrderFilter();
  const [chosen, choose] = useState<Column>('accepted');
  const [opened, open] = useOpened(store.id, columns);
  useOwnTickets(columns.accepted);
  const { fresh, touch } = useNewOrders(columns, live.data?.pages.length ?? 0);
  const bell = useBell(fresh.size > 0);
  useWakeLock();
  const lists = { live: useList(live), ended: useList(ended) };
  useFirstPages(live);
  const [now, timeZone] = [useNow(), useZone()];
  const card = (order: Order) => (
    <OrderCard
      {...{ order, now, timeZone }}
      role={store.role}
      isBusy={steps.busy.has(order.id)}
      isNew={fresh.has(order.id)}
      onStep={steps.take}
      onOpen={open}
      onTouch={touch}
    />
  );
  return (
    <Page title="Orders" about={store.name} news={fresh.size} controls={<Controls {...bell} />}>
      {error && <Failure error={error} retry={() => void readAnew()} />}
      <Notice text={steps.notice} />
      <PrinterFaults />
      <PauseSwitch />
      <OrderSearch filter={filter} zone={timeZone} onChange={setFilter} />
      {isAsked(filter) ? (
        <FoundOrders storeId={store.id} filter={filter} card={card} />
      ) : (
        <>
          <Tabs columns={columns} chosen={chosen} onChoose={choose} />
          {live.isPending && !error && <Loading />}
          <div className="board">
            {names.map((name) => (
              <OrderColumn
                {...{ name, card }}
                key={name}
                orders={columns[name]}
                isChosen={name === chosen}
                {...lists[name === 'collected' || name === 'returned' ? 'ended' : 'live']}
              />
            ))}
          </div>
        </>
      )}
      {opened && <OrderDialog order={opened} store={store} changes={changes} onClose={() => open(null)} />}
    </Page>
  );
}

type List = ReturnType<typeof useOrders>['live'];

function useList({ hasNextPage, isFetching, fetchNextPage }: List) {
  const onEnd = useCallback(() => void (isFetching || fetchNextPage()), [isFetching, fetchNextPage]);
  return { hasMore: hasNextPage, onEnd };
}

function useOpened(storeId: string, columns: Columns) {
  const [filters, change] = useFilters();
  const id = filters.get('order');
  const onBoard = id === null ? undefined : names.flatMap((name) => columns[name]).find((order) => order.id === id);
  const readAgainFor = { types: ['order.'], subjects: [id ?? ''] };
  const { data } = useRead(id === null || onBoard ? null : orderAt(storeId, id), { readAgainFor });
  const last = useRef<Order>(undefined);
  last.current = onBoard ?? data?.order ?? last.current;
  const opened = last.current?.id === id ? last.current : null;
  return [opened, (order: Order | null) => change({ order: order?.id ?? '' })] as const;
}

function useOrderFilter() {
  const [filters, change] = useFilters();
  const [q, from, to] = [filters.get('q') ?? '', filters.get('from') ?? '', filters.get('to') ?? ''];
  const filter = useMemo(() => ({ q, from, to }), [q, from, to]);
  return [filter, (fields: Partial<OrderFilter>) => change(fields)] as const;
}

const Controls = ({ isOn, isAllowed, turn }: ReturnType<typeof useBell>) => (
  <>
    <Link className="button" href={pathOf('/shop/:storeId/orders/board', { storeId: useStore().id })} onClick={enterFullScreen}>
      Board, full screen
    </Link>
    <Switch
      label={isOn && !isAllowed ? 'Sound for new orders, once you press anywhere' : 'Sound for new orders'}
      isOn={isOn}
      onTurn={turn}
    />
  </>
);

interface TabsProps {
  readonly columns: Columns;
  readonly chosen: Column;
  readonly onChoose: (column: Column) => void;
}

const Tabs = ({ columns, chosen, onChoose }: TabsProps) => (
  <nav className="board-tabs" aria-label="Columns">
    {names.map((name) => (
      <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
        {columnTexts[name].title} <span className="count">{columns[name].length}</span>
      </button>
    ))}
  </nav>
);
