import type { Customers, PlacedOrder } from './customers-of-a-day.ts';
import { card } from './day-in-a-shop.ts';
import type { PlannedOrder, Story } from './orders-of-a-day.ts';
import type { Tablet } from './tablet.ts';

export interface Counter {
  readonly tablet: Tablet;
  readonly customers: Customers;
}

export type TakenOrder = PlannedOrder & PlacedOrder;

type Column = 'accepted' | 'preparing' | 'ready' | 'collected' | 'returned';

const tabs = {
  accepted: 'Accepted',
  preparing: 'Preparing',
  ready: 'Ready',
  collected: 'Collected',
  returned: 'Cancelled or refunded',
} as const satisfies Record<Column, string>;

export async function serve({ tablet, customers }: Counter, wave: readonly PlannedOrder[]): Promise<readonly TakenOrder[]> {
  await tablet.goTo('Orders');
  const taken = await Promise.all(wave.map(async (planned) => ({ ...planned, ...(await customers.order(planned.by, planned.items)) })));
  const board = boardOf(tablet);
  await board.show('accepted');
  const having = (...stories: readonly Story[]) => taken.filter(({ story }) => stories.includes(story));
  const without = (...stories: readonly Story[]) => taken.filter(({ story }) => !stories.includes(story));

  for (const { id } of having('late')) await board.delay(id);
  for (const { id, by } of having('cancelled by the customer')) {
    await board.arrived(id);
    await customers.cancel(by, id);
    await board.left('accepted', id);
  }
  for (const { id } of without('cancelled by the customer', 'by keyboard')) await board.step(id, 'Start', 'accepted');
  await board.show('preparing');
  for (const { id } of having('cancelled by staff')) await board.cancel(id);
  for (const { id } of having('pressed by mistake')) {
    await board.step(id, 'Ready', 'preparing');
    await board.show('ready');
    await board.correct(id);
    await board.show('preparing');
  }
  const made = without('cancelled by the customer', 'cancelled by staff', 'by keyboard');
  for (const { id } of made) await board.step(id, 'Ready', 'preparing');
  await board.show('ready');
  for (const { id } of made) await board.step(id, 'Collected', 'ready');
  for (const { id } of having('by keyboard')) await board.serveByKeyboard(id);
  return taken;
}

const untilLeft = ({ page }: Tablet, column: Column, id: string) =>
  page.waitForFunction(`!document.querySelector(${JSON.stringify(card(column, id))})`);

export async function refundUnit({ tablet }: Counter, { number }: TakenOrder, line: string, left: number): Promise<void> {
  const { tap, fill, choose, see, goTo, closeDialog } = tablet;
  await goTo('Orders');
  await fill('#main input[type="search"]', number);
  await tap('.found-orders', 'Details');
  await tap('dialog[open]', 'Refund');
  await tap('dialog[open] form', 'Lines');
  await choose(`${line}, of ${left}`, '1');
  await tap('dialog[open] form', 'Back on sale');
  await tap('dialog[open] form .suggestions', 'Something was missing');
  await tap('dialog[open] form .dialog-buttons', 'Refund ');
  await see('.announced', `of order ${number} was refunded`);
  await closeDialog();
  await tap('#main', 'Back to the board');
}

function boardOf(tablet: Tablet) {
  const { tap, page, pressByKeyboard } = tablet;
  return {
    ...dialogsOf(tablet),
    left: (column: Column, id: string) => untilLeft(tablet, column, id),
    arrived: (id: string) => page.waitForSelector(card('accepted', id), { visible: true }),
    show: (column: Column) => tap('.board-tabs', tabs[column]),
    async step(id: string, button: 'Start' | 'Ready' | 'Collected', from: Column) {
      await tap(card(from, id), button);
      await untilLeft(tablet, from, id);
    },
    async serveByKeyboard(id: string) {
      for (const [button, from] of [
        ['Start', 'accepted'],
        ['Ready', 'preparing'],
        ['Collected', 'ready'],
      ] as const) {
        await pressByKeyboard('.board-tabs', tabs[from]);
        await pressByKeyboard(card(from, id), button);
        await untilLeft(tablet, from, id);
      }
    },
  };
}

function dialogsOf(tablet: Tablet) {
  const { tap, see, closeDialog } = tablet;
  return {
    async delay(id: string) {
      await tap(card('accepted', id), 'Details');
      await tap('dialog[open]', 'Notify of a delay');
      await tap('dialog[open] .suggestions', '10 min');
      await tap('dialog[open] .dialog-buttons', 'Delay by 10 min');
      await see('.announced', 'the customer is notified by');
      await closeDialog();
    },
    async correct(id: string) {
      await tap(card('ready', id), 'Details');
      await tap('dialog[open]', 'Correct the status');
      await tap('dialog[open] form .suggestions', 'Pressed by mistake');
      await tap('dialog[open] form .dialog-buttons', 'Correct');
      await untilLeft(tablet, 'ready', id);
      await closeDialog();
    },
    async cancel(id: string) {
      await tap(card('preparing', id), 'Details');
      await tap('dialog[open]', 'Cancel order');
      await tap('dialog[open] form .suggestions', 'Sold out');
      await tap('dialog[open] form .dialog-buttons', 'Cancel and refund £');
      await see('.announced', 'was refunded');
      await untilLeft(tablet, 'preparing', id);
      await closeDialog();
    },
  };
}
