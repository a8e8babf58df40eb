import { outcomeOf } from '@corner/client';
import { newKey } from '@corner/page-kit/browser/attempts';
import { withLock } from '@corner/page-kit/browser/lock';
import { kept } from '@corner/page-kit/browser/storage';
import { runMachine } from '@corner/page-kit/logic/machine';
import { RequestFailed } from '../../../logic/refusal.ts';
import { readAgain } from '../../../shell/queries.ts';
import { refusalText } from '../refusal-text.ts';
import { inWords } from './basket.ts';
import { keptSales } from './kept-sales.ts';
import { isOfPerson, isRefusalOfFirst, troubleOf } from './sale-errors.ts';
import { bodyOf, menuPath, sendAttempt, sendKept } from './sale-operations.ts';
import { arrivedOtherwise } from './sale-texts.ts';
import { type Attempt, emptyTill, isCash, stepTill, type Till, type TillEffect, type TillEvent } from './till.ts';
import { type KeptSale, nothingWaits, stepWaiting, type Waiting, type WaitingEffect, type WaitingEvent } from './waiting.ts';

interface Environment {
  readonly storeId: string;
  readonly by: string;
  currency(): string;
  zone(): string | undefined;
  showTill(till: Till): void;
  showWaiting(waiting: Waiting): void;
}

export function createSelling(of: Environment) {
  const { storeId, by } = of;
  const list = keptSales(kept, storeId);

  const keep = (attempt: Attempt, isTried: boolean): void => {
    const sale: KeptSale = {
      id: attempt.key,
      key: attempt.key,
      by,
      at: new Date().toISOString(),
      total: attempt.total,
      pays: attempt.pays?.id,
      text: attempt.pays ? `Sale ${attempt.pays.number}` : inWords(attempt.lines),
      prices: attempt.lines.map(({ pence }) => pence),
      currency: of.currency(),
      body: bodyOf(storeId, attempt),
      refused: null,
      isOffline: !isTried,
      isOnlyAsItWas: !isCash(attempt),
    };
    waiting.send({ type: 'keep', sale });
  };

  const trySale = async (attempt: Attempt, send: (event: TillEvent) => void): Promise<void> => {
    try {
      const { order } = await sendAttempt(storeId, attempt, by);
      send({ type: 'sold', number: order.order_number, orderId: order.id, isKnown: !order.without_customer });
      waiting.send({ type: 'line', isDown: false, by });
      void readAgain('/api/v1/orders/at-counter', '/api/v1/orders/drawers');
    } catch (error) {
      send(isRefusalOfFirst(error) ? { type: 'refused', error } : { type: 'lost' });
      waiting.send({ type: 'line', isDown: troubleOf(error, '') === null, by });
    }
  };

  const tryKept = async (asked: KeptSale, send: (event: WaitingEvent) => void): Promise<void> => {
    // Another tab of this tablet may have sent it meanwhile, or with another key.
    const sale = list.latest(asked);
    if (!sale) return send({ type: 'sent', id: asked.id, notices: [], by });
    if (sale.refused !== null) return send({ type: 'refused', id: sale.id, code: '', text: sale.refused, key: sale.key, by });
    try {
      const { order } = await sendKept(sale);
      send({ type: 'sent', id: sale.id, notices: arrivedOtherwise(order, sale, of.zone()), by });
      void readAgain('/api/v1/orders/at-counter', '/api/v1/orders/drawers', menuPath(storeId));
    } catch (error) {
      if (outcomeOf(error) === 'unknown')
        return send({ type: 'lost', id: sale.id, trouble: troubleOf(error, sale.text), isOfPerson: isOfPerson(error), by });
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
      else if (effect.do === 'forget') list.end(effect.id);
      else list.store(effect.sale);
      if (effect.do !== 'send') send({ type: 'stored', isUnstored: !list.isStored() });
    },
    changed: of.showWaiting,
  });
  return {
    till: till.send,
    waiting: waiting.send,
    now: () => ({ key: newKey(), isDown: waiting.state().isDown }),
    takeUp(): void {
      waiting.send({ type: 'read', sales: list.read() });
      waiting.send({ type: 'try', by });
    },
    tryAgain: () => waiting.send({ type: 'try', by }),
    isWaiting: () => waiting.state().sales.some((sale) => sale.by === by && sale.refused === null),
  };
}

export type Selling = ReturnType<typeof createSelling>;
