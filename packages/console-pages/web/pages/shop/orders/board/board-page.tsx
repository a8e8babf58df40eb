import { useMemo, useRef, useState } from 'react';
import { Failure, Loading, Notice } from '../../../../components/index.ts';
import { useNow } from '../../../../components/use-now.ts';
import { useStore } from '../../../../shell/context.ts';
import { useStyle } from '../../../../shell/use-style.ts';
import boardStyle from '../../../../styles/board.css' with { type: 'text' };
import { type Order, useZone } from '../../operations.ts';
import { PrinterFaults, useOwnTickets } from '../../printers/index.ts';
import { useNewOrders } from '../new-orders.ts';
import { OrderDialog } from '../order-dialog.tsx';
import { useBell } from '../use-bell.ts';
import { useFirstPages, useOrders } from '../use-orders.ts';
import { useSteps } from '../use-steps.ts';
import { useWakeLock } from '../use-wake-lock.ts';
import { BoardHead, Summary } from './board-head.tsx';
import { Ticket } from './ticket.tsx';
import { isDue, nextOnBoard, ticketsOf, toMake } from './tickets.ts';
import { useBoardKeys } from './use-board-keys.ts';
import { useRoom } from './use-room.ts';
import { useSkipsStart } from './use-skips-start.ts';

/** Tickets that are drawn at once: more than any screen shows. */
const mostDrawn = 100;

/** The orders to make and to hand over, for a screen at the counter or in the kitchen: no navigation, the first due first. */
export default function BoardPage() {
  const store = useStore();
  const { columns, live, changes, error, readAnew } = useOrders(store.id);
  const steps = useSteps(store, changes);
  const { fresh, touch } = useNewOrders(columns, live.data?.pages.length ?? 0);
  const bell = useBell(fresh.size > 0);
  const [skipsStart, setSkipsStart] = useSkipsStart();
  const [opened, open] = useState<Order | null>(null);
  // Null while orders are moved one by one.
  const [picked, pick] = useState<ReadonlySet<string> | null>(null);
  const [now, timeZone] = [useNow(), useZone()];
  const list = useRef<HTMLUListElement>(null);
  useOwnTickets(columns.accepted);
  useWakeLock();
  useFirstPages(live);
  useBoardKeys(list);
  useStyle(boardStyle);
  const tickets = useMemo(() => ticketsOf(columns, now), [columns, now]);
  const drawn = tickets.slice(0, mostDrawn);
  const room = useRoom(list, drawn.length, drawn.filter((order) => isDue(order, now)).length);
  const stepOf = (order: Order) => nextOnBoard(order, store.role, skipsStart);
  const take = (orders: readonly Order[]) => {
    for (const order of orders) {
      const step = stepOf(order);
      if (step) steps.take(order, step);
    }
    pick((before) => before && new Set());
  };
  const current =
    opened &&
    (Object.values(columns)
      .flat()
      .find(({ id }) => id === opened.id) ??
      opened);
  return (
    <div className="kitchen">
      <BoardHead
        {...{ tickets, picked, pick, take, stepOf, bell, skipsStart, setSkipsStart }}
        news={fresh.size}
        returned={columns.returned}
        room={room}
        beyond={tickets.slice(room.fit)}
        timeZone={timeZone}
        onOpen={open}
      />
      {error && <Failure error={error} retry={() => void readAnew()} />}
      <Notice text={steps.notice} />
      <PrinterFaults />
      <Summary of={toMake(tickets, now)} />
      {live.isPending && !error && <Loading />}
      {live.isSuccess && tickets.length === 0 && <p className="kitchen-empty">Nothing to make, nothing to hand over.</p>}
      <ul className={room.isFolded ? 'tickets folded' : 'tickets'} ref={list} aria-label="Orders, the first due first">
        {drawn.map((order, index) => (
          <li key={order.id}>
            <Ticket
              {...{ order, now, timeZone, index }}
              storeCode={store.code}
              step={stepOf(order)}
              isBusy={steps.busy.has(order.id)}
              isNew={fresh.has(order.id)}
              isPicked={picked ? picked.has(order.id) : null}
              onStep={() => take([order])}
              onPick={() => pick(picked && toggled(picked, order.id))}
              onOpen={() => open(order)}
              onTouch={() => touch(order.id)}
            />
          </li>
        ))}
      </ul>
      {current && <OrderDialog order={current} store={store} changes={changes} onClose={() => open(null)} />}
    </div>
  );
}

function toggled(picked: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(picked);
  if (!after.delete(id)) after.add(id);
  return after;
}
