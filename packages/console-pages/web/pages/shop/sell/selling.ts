import { outcomeOf } from '@corner/client';
import { newKey } from '@corner/page-kit/browser/attempts';
import { keptList } from '@corner/page-kit/browser/kept-list';
import { withLock } from '@corner/page-kit/browser/lock';
import { kept } from '@corner/page-kit/browser/storage';
import { runMachine } from '@corner/page-kit/logic/machine';
import { RequestFailed } from '../../../logic/refusal.ts';
import { readAgain } from '../../../shell/queries.ts';
import { refusalText } from '../refusal-text.ts';
import { inWords } from './basket.ts';
import { menuPath, saleBody, sendAttempt, sendKept } from './sale-operations.ts';
import { arrivedOtherwise } from './sale-texts.ts';
import { type Attempt, emptyTill, stepTill, type Till, type TillEffect, type TillEvent } from './till.ts';
import { type KeptSale, nothingWaits, stepWaiting, type Waiting, type WaitingEffect, type WaitingEvent } from './waiting.ts';

interface Environment {
  readonly storeId: string;
  /** The person who is signed in. */
  readonly by: string;
  /** Of the store, once its menu was read. */
  currency(): string;
  zone(): string | undefined;
  showTill(till: Till): void;
  showWaiting(waiting: Waiting): void;
}

/** More sales are not kept: a line is not down for so long. */
const mostKept = 2_000;
const isKept = (sale: Partial<KeptSale> | null): boolean =>
  [sale?.id, sale?.by, sale?.at, sale?.key].every((field) => typeof field === 'string') &&
  typeof sale?.body === 'object' &&
  Array.isArray(sale.prices);

/** Runs the till of a store, and the sales that wait for its line: what the machines ask for is carried out here. */
export function createSelling(of: Environment) {
  const { storeId, by } = of;
  const list = keptList<KeptSale>(kept, `sales ${storeId}`, mostKept, isKept);

  const keep = (attempt: Attempt, isTried: boolean): void => {
    const sale: KeptSale = {
      ...{ id: attempt.key, key: attempt.key, by, at: new Date().toISOString(), text: inWords(attempt.lines), total: attempt.total },
      ...{ currency: of.currency(), body: saleBody(storeId, attempt), prices: attempt.lines.map(({ pence }) => pence) },
      ...{ isOffline: !isTried, refused: null },
    };
    waiting.send({ type: 'keep', sale });
  };

  const trySale = async (attempt: Attempt, send: (event: TillEvent) => void): Promise<void> => {
    try {
      const { order } = await sendAttempt(storeId, attempt);
      send({ type: 'sold', number: order.order_number, orderId: order.id, isKnown: !order.without_customer });
      waiting.send({ type: 'line', isDown: false, by });
      void readAgain('/api/v1/orders/at-counter', '/api/v1/orders/drawers');
    } catch (error) {
      const isRefused = outcomeOf(error) === 'refused';
      send(isRefused ? { type: 'refused', error } : { type: 'lost' });
      waiting.send({ type: 'line', isDown: !isRefused, by });
    }
  };

  const tryKept = async ({ id }: KeptSale, send: (event: WaitingEvent) => void): Promise<void> => {
    // Another tab of this tablet may have sent it meanwhile, or have asked for it under another key.
    const sale = list.read().find((one) => one.id === id);
    if (!sale) return send({ type: 'sent', id, notices: [], by });
    if (sale.refused !== null) return send({ type: 'refused', id, code: '', text: sale.refused, key: sale.key, by });
    try {
      const { order } = await sendKept(sale);
      send({ type: 'sent', id: sale.id, notices: arrivedOtherwise(order, sale, of.zone()), by });
      void readAgain('/api/v1/orders/at-counter', '/api/v1/orders/drawers', menuPath(storeId));
    } catch (error) {
      if (outcomeOf(error) === 'unknown') return send({ type: 'lost', id: sale.id });
      const code = error instanceof RequestFailed ? error.code : '';
      send({ type: 'refused', id: sale.id, code, text: refusalText(error, sale.text), key: newKey(), by });
    }
  };

  const till = runMachine<Till, TillEvent, TillEffect>(emptyTill, stepTill, {
    carryOut(effect, send) {
      if (effect.do === 'send') void trySale(effect.attempt, send);
      else if (effect.do === 'keep') keep(effect.attempt, effect.isTried);
      else void readAgain(menuPath(storeId));
    },
    changed: of.showTill,
  });
  const waiting = runMachine<Waiting, WaitingEvent, WaitingEffect>(nothingWaits, stepWaiting, {
    carryOut(effect, send) {
      if (effect.do === 'send') void withLock(`sales ${storeId}`, () => tryKept(effect.sale, send));
      else if (effect.do === 'forget') list.write(list.read().filter(({ id }) => id !== effect.id));
      else if (list.read().some(({ id }) => id === effect.sale.id)) list.change(({ id }) => id === effect.sale.id, effect.sale);
      else list.add(effect.sale);
    },
    changed: of.showWaiting,
  });
  return {
    till: till.send,
    waiting: waiting.send,
    /** What an event needs that may send something. */
    now: () => ({ key: newKey(), isDown: waiting.state().isDown }),
    /** Takes up what was kept before, and sends it. */
    takeUp(): void {
      waiting.send({ type: 'read', sales: list.read().toReversed() });
      waiting.send({ type: 'try', by });
    },
    tryAgain: () => waiting.send({ type: 'try', by }),
    isWaiting: () => waiting.state().sales.some((sale) => sale.by === by && sale.refused === null),
  };
}

export type Selling = ReturnType<typeof createSelling>;
