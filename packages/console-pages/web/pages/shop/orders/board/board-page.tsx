import { useMemo, useRef, useState } from 'react';
import { Failure, Loading, Notice } from '../../../../components/index.ts';
import { useNow } from '../../../../components/use-now.ts';
import { useStore } from '../../../../shell/context.ts';
import { useStyle } from '../../../../shell/use-style.ts';
import boardStyle from '../../../../styles/board.css' with { type: 'text' };
import { type Order, useZone } from '../../operations.ts';
import type { Columns } from '../../order-columns.ts';
import { PrinterFaults, useOwnTickets } from '../../printers/index.ts';
import { useNewOrders } from '../new-orders.ts';
import { OrderDialog } from '../order-dialog.tsx';
import { useBell } from '../use-bell.ts';
import { useFirstPages, useOrders } from '../use-orders.ts';
import { useSteps } from '../use-steps.ts';
import { useWakeLock } from '../use-wake-lock.ts';
import { BoardHead, Summary } from './board-head.tsx';
import { PaceStrip } from './pace-strip.tsx';
import { Ticket } from './ticket.tsx';
import { isDue, nextOnBoard, ticketsOf, toMake } from './tickets.ts';
import { useBoardKeys } from './use-board-keys.ts';
import { useRoom } from './use-room.ts';
import { useSkipsStart } from './use-skips-start.ts';

const mostDrawn = 100;

export default function BoardPage() {
  const store = useStore();
  const { columns, live, changes, error, readAnew } = useOrders(store.id);
  const { fresh, touch } = useNewOrders(columns, live.data?.pages.length ?? 0);
  const steps = useSteps(store, changes);
  const moving = useMoving(store.role, steps);
  const { picked, pick, take, stepOf } = moving;
  const bell = useBell(fresh.size > 0);
  const [opened, open] = useState<Order | null>(null);
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
  const current = opened && asItIs(opened, columns);
  const ticket = (order: Order, index: number) => (
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
  );
  return (
    <div className="kitchen">
      <BoardHead
        {...moving}
        {...{ tickets, bell }}
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
      <PaceStrip timeZone={timeZone} />
      <Summary of={toMake(tickets, now)} />
      {live.isPending && !error && <Loading />}
      {live.isSuccess && tickets.length === 0 && <p className="kitchen-empty">Nothing to make, nothing to hand over.</p>}
      <ul className={room.isFolded ? 'tickets folded' : 'tickets'} ref={list} aria-label="Orders, the first due first">
        {drawn.map((order, index) => (
          <li key={order.id}>{ticket(order, index)}</li>
        ))}
      </ul>
      {current && <OrderDialog order={current} store={store} changes={changes} onClose={() => open(null)} />}
    </div>
  );
}

function useMoving(role: Parameters<typeof nextOnBoard>[1], steps: ReturnType<typeof useSteps>) {
  const [skipsStart, setSkipsStart] = useSkipsStart();
  const [picked, pick] = useState<ReadonlySet<string> | null>(null);
  const stepOf = (order: Order) => nextOnBoard(order, role, skipsStart);
  const take = (orders: readonly Order[]) => {
    for (const order of orders) {
      const step = stepOf(order);
      if (step) steps.take(order, step);
    }
    pick((before) => before && new Set());
  };
  return { skipsStart, setSkipsStart, picked, pick, stepOf, take };
}

const asItIs = (shown: Order, columns: Columns): Order =>
  Object.values(columns)
    .flat()
    .find(({ id }) => id === shown.id) ?? shown;

function toggled(picked: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(picked);
  if (!after.delete(id)) after.add(id);
  return after;
}
