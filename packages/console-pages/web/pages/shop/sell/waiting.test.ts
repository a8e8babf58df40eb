import { runMachine } from '@corner/page-kit/logic/machine';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type KeptSale,
  nothingWaits,
  refusedSales,
  stepWaiting,
  type Waiting,
  type WaitingEffect,
  type WaitingEvent,
  waitingSales,
} from './waiting.ts';

const saleOf = (id: string, more: Partial<KeptSale> = {}): KeptSale => ({
  id,
  key: id,
  by: 'bo',
  at: '2026-05-01T09:00:00Z',
  text: 'Croissant',
  total: 290,
  currency: 'GBP',
  prices: [290],
  body: { items: [] },
  isOffline: true,
  refused: null,
  ...more,
});

function line() {
  const effects: WaitingEffect[] = [];
  const { state, send } = runMachine<Waiting, WaitingEvent, WaitingEffect>(nothingWaits, stepWaiting, {
    carryOut: (effect) => effects.push(effect),
    changed() {},
  });
  const sends = () => effects.flatMap((effect) => (effect.do === 'send' ? [effect.sale] : []));
  return { state, send, effects, sends };
}
const by = 'bo';
const lost = (id: string, trouble: string | null = null, isOfPerson = false): WaitingEvent => ({
  type: 'lost',
  id,
  trouble,
  isOfPerson,
  by,
});

describe('sales that wait for the line', () => {
  test('are stored as they are kept, and sent one after another in their order once the line is back', () => {
    const { send, sends, effects, state } = line();
    for (const id of ['1', '2']) send({ type: 'keep', sale: saleOf(id) });
    expect(effects.map((effect) => effect.do)).toEqual(['store', 'store']);
    send({ type: 'try', by });
    send({ type: 'try', by });
    send(lost('1'));
    expect(state().isDown).toBe(true);
    send({ type: 'try', by });
    send({ type: 'sent', id: '1', notices: [], by });
    send({ type: 'sent', id: '2', notices: ['Sale 2: sold out.'], by });
    expect(sends().map(({ id }) => id)).toEqual(['1', '1', '2']);
    expect(state()).toEqual({ ...nothingWaits, notices: ['Sale 2: sold out.'] });
    expect(effects.filter((effect) => effect.do === 'forget')).toHaveLength(2);
    send({ type: 'have read' });
    expect(state()).toEqual(nothingWaits);
  });

  test('one that may have arrived is asked for as it was; when it had not, it is sent under a new key as one without a connection', () => {
    const { send, sends } = line();
    send({ type: 'keep', sale: saleOf('1', { isOffline: false }) });
    send({ type: 'try', by });
    send({ type: 'refused', id: '1', code: 'OUT_OF_STOCK', text: 'x', key: 'new', by });
    expect(sends().map(({ key, isOffline }) => [key, isOffline])).toEqual([
      ['1', false],
      ['new', true],
    ]);
  });

  test('one by card that may have arrived is asked for as it was, and never sent as one without a connection', () => {
    const { send, sends, state } = line();
    send({ type: 'keep', sale: saleOf('1', { isOffline: false, isOnlyAsItWas: true }) });
    send({ type: 'try', by });
    send({ type: 'refused', id: '1', code: 'OUT_OF_STOCK', text: 'Sold out.', key: 'new', by });
    expect([sends().length, refusedSales(state())]).toMatchObject([1, [{ id: '1', key: '1', isOffline: false, refused: 'Sold out.' }]]);
  });

  test('one whose response does not say whether it was recorded holds up no other, is tried again, and can be dropped', () => {
    const { send, sends, state, effects } = line();
    for (const id of ['1', '2']) send({ type: 'keep', sale: saleOf(id) });
    send({ type: 'try', by });
    send(lost('1', 'Cards cannot be read.'));
    expect([sends().map(({ id }) => id), state().isDown]).toEqual([['1', '2'], false]);
    expect(effects).toContainEqual(
      expect.objectContaining({ do: 'store', sale: expect.objectContaining({ trouble: 'Cards cannot be read.' }) }),
    );
    send({ type: 'sent', id: '2', notices: [], by });
    expect(sends()).toHaveLength(2);
    send({ type: 'try', by });
    expect(sends().at(-1)).toMatchObject({ id: '1', key: '1', isOffline: true });
    send(lost('1', 'Cards cannot be read.'));
    send({ type: 'drop', id: '1' });
    expect([state().sales, effects.at(-1)]).toEqual([[], { do: 'forget', id: '1' }]);
  });

  test('after a response that any other sale would get too, such as a quota, the next one waits for the next time', () => {
    const { send, sends } = line();
    for (const id of ['1', '2']) send({ type: 'keep', sale: saleOf(id) });
    send({ type: 'try', by });
    send(lost('1', 'Too many requests.', true));
    expect(sends().map(({ id }) => id)).toEqual(['1']);
  });

  test('one whose customer is not known is recorded without, which is said', () => {
    const { send, sends, state } = line();
    send({ type: 'keep', sale: saleOf('1', { body: { items: [], customer: '2345' } }) });
    send({ type: 'try', by });
    send({ type: 'refused', id: '1', code: 'CUSTOMER_NOT_FOUND', text: 'x', key: 'new', by });
    expect(sends()[1]).toMatchObject({ key: 'new', body: { items: [] } });
    expect(sends()[1]?.body.customer).toBeUndefined();
    expect(state().notices).toEqual(['Croissant: the customer was not found, so it is on no card.']);
  });

  test('one that is refused stays until a person sends it again or drops it, and holds up no other', () => {
    const { send, sends, state, effects } = line();
    for (const id of ['1', '2']) send({ type: 'keep', sale: saleOf(id) });
    send({ type: 'try', by });
    send({ type: 'refused', id: '1', code: 'STORE_NOT_ACCEPTING_ORDERS', text: 'The store is not live.', key: 'n', by });
    expect(sends().map(({ id }) => id)).toEqual(['1', '2']);
    send({ type: 'sent', id: '2', notices: [], by });
    expect(refusedSales(state())).toMatchObject([{ id: '1', refused: 'The store is not live.' }]);
    expect(effects.filter((effect) => effect.do === 'store').at(-1)).toMatchObject({
      sale: { id: '1', refused: 'The store is not live.' },
    });
    send({ type: 'again', id: '1', key: 'other', by });
    expect(sends().at(-1)).toMatchObject({ id: '1', key: 'other' });
    send({ type: 'refused', id: '1', code: 'STORE_NOT_ACCEPTING_ORDERS', text: 'x', key: 'n', by });
    send({ type: 'drop', id: '1' });
    expect(state().sales).toEqual([]);
  });

  test('of another person are not sent: their keys are that person’s', () => {
    const { send, sends, state } = line();
    send({ type: 'read', sales: [saleOf('1', { by: 'cy' }), saleOf('2')] });
    send({ type: 'try', by });
    send({ type: 'sent', id: '2', notices: [], by });
    expect([sends().map(({ id }) => id), waitingSales(state()).map(({ id }) => id)]).toEqual([['2'], ['1']]);
  });
});

test('whatever happens, no sale is lost: it is sent, or waits, or a person dropped it; and one at a time is on its way', () => {
  const event = fc.oneof(
    fc.constantFrom<WaitingEvent>(
      { type: 'try', by },
      { type: 'have read' },
      { type: 'line', isDown: true, by },
      { type: 'line', isDown: false, by },
    ),
    fc.constantFrom<'lost' | 'trouble' | 'quota' | 'sent' | 'refused' | 'again'>('lost', 'trouble', 'quota', 'sent', 'refused', 'again'),
    fc.boolean().map((isOffline) => ({ keep: isOffline })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const { state, send } = line();
      const [kept, sent] = [new Set<string>(), new Set<string>()];
      for (const [n, each] of events.entries()) {
        const id = state().sending;
        if (typeof each === 'object' && 'keep' in each) {
          kept.add(`${n}`);
          send({ type: 'keep', sale: saleOf(`${n}`, { isOffline: each.keep }) });
        } else if (typeof each === 'object') send(each);
        else if (each === 'again') {
          const [refused] = refusedSales(state());
          if (refused) send({ type: 'again', id: refused.id, key: `again ${n}`, by });
        } else if (id !== null) {
          if (each === 'sent') sent.add(id);
          if (each === 'lost') send(lost(id));
          else if (each === 'trouble' || each === 'quota') send(lost(id, 'x', each === 'quota'));
          else if (each === 'sent') send({ type: 'sent', id, notices: [], by });
          else send({ type: 'refused', id, code: 'X', text: 'x', key: `key ${n}`, by });
        }
        const left = state().sales.map((sale) => sale.id);
        expect([...left, ...sent].sort()).toEqual([...kept].sort());
      }
    }),
  );
});
