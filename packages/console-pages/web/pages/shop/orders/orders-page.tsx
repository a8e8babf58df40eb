import { useCallback, useEffect, useState } from 'react';
import { Failure, Icon, Loading, Page } from '../../../components/index.ts';
import { useStore } from '../../../shell/context.ts';
import { useNow } from '../../../shell/use-now.ts';
import { type Order, readOrder, setFulfilment, setStatus, useZone } from '../operations.ts';
import { refusalText } from '../refusal-text.ts';
import type { Step } from './order-actions.ts';
import { OrderCard } from './order-card.tsx';
import { OrderColumn } from './order-column.tsx';
import { type Column, columns as names } from './order-columns.ts';
import { OrderDialog } from './order-dialog.tsx';
import { type Changes, useOrders } from './use-orders.ts';

const titles: Readonly<Record<Column, string>> = { accepted: 'Accepted', preparing: 'Preparing', ready: 'Ready', collected: 'Collected' };

/** Pages that are read without being asked for, so that the columns begin with what is due next in each. */
const pagesAtOnce = 3;

/** The orders of a store in four columns, live. */
export default function OrdersPage() {
  const store = useStore();
  const now = useNow();
  const timeZone = useZone();
  const { columns, live, ended, changes, error, readAnew } = useOrders(store.id);
  const steps = useSteps(store.id, changes);
  const [chosen, choose] = useState<Column>('accepted');
  const [opened, open] = useState<Order | null>(null);
  const more = {
    live: useCallback(() => void (live.isFetching || live.fetchNextPage()), [live.isFetching, live.fetchNextPage]),
    ended: useCallback(() => void (ended.isFetching || ended.fetchNextPage()), [ended.isFetching, ended.fetchNextPage]),
  };
  const { isFetching, hasNextPage, fetchNextPage } = live;
  const pages = live.data?.pages.length ?? 0;
  useEffect(() => {
    if (pages > 0 && pages < pagesAtOnce && hasNextPage && !isFetching) void fetchNextPage();
  }, [pages, hasNextPage, isFetching, fetchNextPage]);
  // The dialog stays, with what was known last, when its order leaves the board: what is being done in it goes on.
  const newer = opened && names.flatMap((name) => columns[name]).find(({ id }) => id === opened.id);
  if (newer && newer !== opened) open(newer);
  const card = (order: Order) => (
    <OrderCard
      order={order}
      role={store.role}
      now={now}
      timeZone={timeZone}
      isBusy={steps.busy.has(order.id)}
      onStep={steps.take}
      onOpen={open}
    />
  );
  return (
    <Page title="Orders" about={store.name}>
      {error && <Failure error={error} retry={() => void readAnew()} />}
      {steps.notice && (
        <div className="notice warn" role="alert">
          <Icon name="warning" />
          <p>{steps.notice}</p>
        </div>
      )}
      <nav className="board-tabs" aria-label="Columns">
        {names.map((name) => (
          <button key={name} type="button" aria-pressed={name === chosen} onClick={() => choose(name)}>
            {titles[name]} <span className="count">{columns[name].length}</span>
          </button>
        ))}
      </nav>
      {live.isPending && !error && <Loading />}
      <div className="board">
        {names.map((name) => {
          const list = name === 'collected' ? 'ended' : 'live';
          const { hasNextPage } = name === 'collected' ? ended : live;
          return (
            <OrderColumn
              key={name}
              title={titles[name]}
              orders={columns[name]}
              hasMore={hasNextPage}
              isChosen={name === chosen}
              onEnd={more[list]}
              card={card}
            />
          );
        })}
      </div>
      {opened && <OrderDialog order={opened} store={store} changes={changes} onClose={() => open(null)} />}
    </Page>
  );
}

/** Sends a step of an order and returns its new state. */
async function takeStep(store: string, { id }: Order, step: Step): Promise<Order> {
  if (step.kind === 'fulfilment') return await setFulfilment(store, id, step.to);
  await setStatus(store, id, step.to);
  return await readOrder(store, id);
}

/**
 * Takes steps of orders, one at a time for each order. When the service refuses one, for example because another person moved the order, the
 * notice says so and the order is read again.
 */
function useSteps(store: string, changes: Changes) {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [notice, setNotice] = useState<string | null>(null);
  const mark = (id: string, isBusy: boolean) =>
    setBusy((before) => {
      const after = new Set(before);
      if (isBusy) after.add(id);
      else after.delete(id);
      return after;
    });

  const run = async (order: Order, step: Step): Promise<void> => {
    mark(order.id, true);
    setNotice(null);
    try {
      await changes.through(order.id, () => takeStep(store, order, step));
    } catch (error) {
      setNotice(refusalText(error, `Order ${order.order_number}`));
      changes.changed(order.id);
    } finally {
      mark(order.id, false);
    }
  };
  return { busy, notice, take: (order: Order, step: Step) => void (busy.has(order.id) || run(order, step)) };
}
