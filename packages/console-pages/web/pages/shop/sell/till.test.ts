import { runMachine } from '@corner/page-kit/logic/machine';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lineOf } from './basket.ts';
import { croissant, flatWhite, water } from './items-for-tests.ts';
import { emptyTill, hasTaken, leftOf, shownPayment, stepTill, type Till, type TillEffect, type TillEvent } from './till.ts';

function till() {
  const effects: TillEffect[] = [];
  const { state, send } = runMachine<Till, TillEvent, TillEffect>(emptyTill, stepTill, {
    carryOut: (effect) => effects.push(effect),
    changed() {},
  });
  const up = { key: 'k', isDown: false };
  const down = { key: 'k', isDown: true };
  const cash = (given: number, now = up) =>
    send({ type: 'tender', tender: { kind: 'cash', pence: Math.min(given, leftOf(state())), given }, ...now });
  const card = (pence: number) => send({ type: 'tender', tender: { kind: 'external_card', pence, reference: '4711' }, ...up });
  return { state, send, effects, up, down, cash, card };
}
const oat = (one: ReturnType<typeof till>) => {
  one.send({ type: 'item', item: flatWhite });
  one.send({ type: 'choice', id: 'oat' });
  one.send({ type: 'put' });
};
const done = { type: 'sold', number: 'S1-1', orderId: 'o', isKnown: false } as const;

describe('a sale', () => {
  test('of a coffee with oat milk is three presses, and in cash it ends with its change and an empty basket', () => {
    const one = till();
    oat(one);
    expect(one.state().lines).toMatchObject([{ name: 'Flat white (Oat)', pence: 360 }]);
    one.send({ type: 'pay', open: null, ...one.up });
    one.cash(500);
    expect(one.effects).toMatchObject([
      { do: 'send', attempt: { key: 'k', total: 360, tenders: [{ kind: 'cash', pence: 360, given: 500 }] } },
    ]);
    one.send(done);
    expect(one.state()).toEqual({
      ...emptyTill,
      sold: { number: 'S1-1', orderId: 'o', total: 360, change: 140, isOpen: false, isPart: false, isKnown: false },
    });
  });

  test('is not added before what it needs is chosen', () => {
    const one = till();
    one.send({ type: 'item', item: flatWhite });
    one.send({ type: 'put' });
    expect([one.state().lines, one.state().choosing?.item.id]).toEqual([[], 'flat-white']);
  });

  test('is paid once it is said where it is eaten, when that decides the VAT', () => {
    const one = till();
    one.send({ type: 'item', item: croissant });
    one.send({ type: 'pay', open: null, ...one.up });
    expect(one.state().paying).toBeNull();
    one.send({ type: 'place', eatIn: false });
    one.send({ type: 'pay', open: null, ...one.up });
    one.cash(290);
    expect(one.effects).toMatchObject([{ do: 'send', attempt: { eatIn: false } }]);
  });

  test('is split over several tenders, is sent when nothing is left, and one can be taken back before', () => {
    const one = till();
    oat(one);
    one.send({ type: 'pay', open: null, ...one.up });
    one.cash(100);
    one.card(1_000);
    one.send({ type: 'untender', n: 0 });
    one.cash(200);
    expect([leftOf(one.state()), one.effects]).toEqual([160, []]);
    one.card(160);
    expect(one.effects).toMatchObject([
      { attempt: { tenders: [{ pence: 200 }, { kind: 'external_card', pence: 160, reference: '4711' }] } },
    ]);
  });

  test('that costs nothing is sold when it is paid', () => {
    const one = till();
    one.send({ type: 'item', item: water });
    one.send({ type: 'pay', open: null, ...one.up });
    expect(one.effects).toMatchObject([{ do: 'send', attempt: { total: 0, tenders: [] } }]);
  });

  test('that is open is paid in parts: what was taken is sent, and the basket beside it stays', () => {
    const one = till();
    oat(one);
    one.send({ type: 'pay', open: { id: 'o', number: 'S1-1', total: 640 }, ...one.up });
    one.send({ type: 'take part', ...one.up });
    expect(one.effects).toEqual([]);
    one.cash(300);
    one.send({ type: 'take part', ...one.up });
    expect(one.effects).toMatchObject([{ do: 'send', attempt: { isPart: true, total: 300, tenders: [{ pence: 300 }] } }]);
    one.send(done);
    expect([one.state().lines, one.state().sold]).toMatchObject([[{ pence: 360 }], { total: 300, isPart: true, change: 0 }]);
  });

  test('of a basket is not paid in parts: it is left open first', () => {
    const one = till();
    oat(one);
    one.send({ type: 'pay', open: null, ...one.up });
    one.cash(100);
    one.send({ type: 'take part', ...one.up });
    expect(one.effects).toEqual([]);
  });

  test('is left open at a table, and paid beside the next basket, which stays', () => {
    const one = till();
    oat(one);
    one.send({ type: 'pay', open: null, ...one.up });
    one.send({ type: 'leave open', table: '4', ...one.up });
    expect(one.effects.at(-1)).toMatchObject({ attempt: { tenders: null, table: '4' } });
    one.send(done);
    expect(one.state().sold?.isOpen).toBe(true);
    oat(one);
    one.send({ type: 'pay', open: { id: 'o', number: 'S1-1', total: 700 }, ...one.up });
    one.card(700);
    expect(one.effects.at(-1)).toMatchObject({ attempt: { pays: { id: 'o' }, total: 700 } });
    one.send(done);
    expect(one.state()).toMatchObject({ lines: [{ quantity: 1 }], sold: { total: 700 }, paying: null });
  });
});

describe('what goes wrong', () => {
  const sent = (how: 'cash' | 'card') => {
    const one = till();
    oat(one);
    one.send({ type: 'pay', open: null, ...one.up });
    if (how === 'cash') one.cash(500);
    else one.card(360);
    return one;
  };

  test('a refusal keeps the basket and what was taken, reads the menu again, and the next attempt takes the new prices', () => {
    const one = sent('cash');
    one.send({ type: 'refused', error: new Error('x') });
    expect([one.effects.at(-1), one.state().lines.length, shownPayment(one.state())]).toEqual([{ do: 'read menu' }, 1, null]);
    one.send({ type: 'menu', items: [{ ...flatWhite, price_pence: 340 }] });
    one.send({ type: 'pay', open: null, ...one.up });
    expect(leftOf(one.state())).toBe(20);
    one.card(20);
    expect(one.effects.at(-1)).toMatchObject({ attempt: { total: 380, tenders: [{ pence: 360 }, { pence: 20 }] } });
  });

  test('a menu that is read while a sale is sent counts: prices that it changed are those of the next attempt', () => {
    const one = sent('cash');
    one.send({ type: 'menu', items: [{ ...flatWhite, price_pence: 350 }] });
    one.send({ type: 'refused', error: new Error('x') });
    one.send({ type: 'pay', open: null, ...one.up });
    expect(leftOf(one.state())).toBe(30);
  });

  test('what was taken stays when the basket changes, on Back and after a refusal, until it is taken back or the till is cleared', () => {
    const one = till();
    oat(one);
    one.send({ type: 'pay', open: null, ...one.up });
    one.card(100);
    one.send({ type: 'back' });
    expect([shownPayment(one.state()), hasTaken(one.state())]).toEqual([null, true]);
    one.send({ type: 'count', n: 0, by: 1 });
    oat(one);
    one.send({ type: 'count', n: 0, by: -1 });
    one.send({ type: 'leave open', table: '4', ...one.up });
    one.send({ type: 'pay', open: { id: 'o', number: 'S1-1', total: 700 }, ...one.up });
    expect(one.state().paying).toMatchObject({ open: null, tenders: [{ pence: 100, reference: '4711' }], isAside: false });
    one.cash(620);
    expect(one.effects).toMatchObject([{ attempt: { pays: null, total: 720, tenders: [{ pence: 100 }, { pence: 620 }] } }]);
    one.send({ type: 'refused', error: new Error('x') });
    expect(one.state().paying?.tenders).toHaveLength(2);
    one.send({ type: 'clear' });
    expect(one.state()).toEqual(emptyTill);
  });

  test('when less is bought than was taken for, nothing is sent until a tender is taken back', () => {
    const one = till();
    oat(one);
    oat(one);
    one.send({ type: 'pay', open: null, ...one.up });
    one.card(400);
    one.send({ type: 'count', n: 0, by: -1 });
    one.send({ type: 'pay', open: null, ...one.up });
    expect([leftOf(one.state()), one.effects]).toEqual([-40, []]);
    one.send({ type: 'count', n: 0, by: -1 });
    one.send({ type: 'pay', open: null, ...one.up });
    expect(shownPayment(one.state())?.tenders).toHaveLength(1);
    one.send({ type: 'untender', n: 0 });
    expect(hasTaken(one.state())).toBe(false);
  });

  test('a sale in cash without a response is kept, for it may have arrived, and the till goes on with its change', () => {
    const one = sent('cash');
    one.send({ type: 'lost' });
    expect(one.effects.at(-1)).toMatchObject({ do: 'keep', isTried: true, attempt: { key: 'k' } });
    expect(one.state()).toMatchObject({ lines: [], sold: { number: null, change: 140 } });
  });

  test('a sale by card without a response is kept as it was sent, and the till sells on', () => {
    const one = sent('card');
    one.send({ type: 'lost' });
    const [attempt] = one.effects.flatMap((effect) => (effect.do === 'send' ? [effect.attempt] : []));
    expect(one.effects.at(-1)).toEqual({ do: 'keep', attempt, isTried: true });
    oat(one);
    one.send({ type: 'pay', open: null, ...one.down });
    one.cash(360, one.down);
    expect(one.effects.at(-1)).toMatchObject({ do: 'keep', isTried: false, attempt: { tenders: [{ kind: 'cash' }] } });
  });

  test('a sale that is left open, and the payment of an open one, are kept too without a response; the basket beside it stays', () => {
    const one = till();
    oat(one);
    one.send({ type: 'leave open', table: '4', ...one.up });
    one.send({ type: 'lost' });
    expect(one.state()).toMatchObject({ lines: [], sold: { number: null, isOpen: true } });
    oat(one);
    one.send({ type: 'pay', open: { id: 'o', number: 'S1-1', total: 700 }, ...one.up });
    one.card(700);
    one.send({ type: 'lost' });
    expect(one.effects.at(-1)).toMatchObject({ do: 'keep', isTried: true, attempt: { pays: { id: 'o' } } });
    expect(one.state()).toMatchObject({ lines: [{ quantity: 1 }], paying: null, sent: null });
  });

  test('while the line is down, cash is kept without an attempt, and a card is tried', () => {
    const one = till();
    oat(one);
    one.send({ type: 'pay', open: null, ...one.down });
    one.cash(360, one.down);
    expect(one.effects).toMatchObject([{ do: 'keep', isTried: false }]);
    oat(one);
    one.send({ type: 'pay', open: null, ...one.down });
    one.send({ type: 'tender', tender: { kind: 'external_card', pence: 360, reference: '1' }, ...one.down });
    expect(one.effects.at(-1)).toMatchObject({ do: 'send' });
  });
});

test('whatever is pressed, an attempt is paid exactly, what was taken is dropped by no accident, and one attempt is on its way at a time', () => {
  const event = fc.oneof(
    fc.constantFrom<TillEvent>(
      { type: 'item', item: flatWhite },
      { type: 'item', item: croissant },
      { type: 'item', item: water },
      { type: 'choice', id: 'oat' },
      { type: 'put' },
      { type: 'back' },
      { type: 'place', eatIn: true },
      { type: 'clear' },
      { type: 'menu', items: [{ ...flatWhite, price_pence: 100 }] },
      { type: 'lost' },
      { type: 'refused', error: 'x' },
      done,
    ),
    fc.record({ type: fc.constant('count' as const), n: fc.nat(3), by: fc.constantFrom(1 as const, -1 as const) }),
    fc.record({
      type: fc.constant('pay' as const),
      open: fc.constantFrom(null, { id: 'o', number: 'S', total: 500 }),
      key: fc.constant('k'),
      isDown: fc.boolean(),
    }),
    fc.record({ type: fc.constant('untender' as const), n: fc.nat(2) }),
    fc.record({ type: fc.constant('leave open' as const), table: fc.constantFrom('', '4'), key: fc.constant('k'), isDown: fc.boolean() }),
    fc.tuple(fc.integer({ min: -5, max: 1_000 }), fc.boolean(), fc.boolean()).map(
      ([pence, isCash, isDown]): TillEvent => ({
        type: 'tender',
        tender: isCash ? { kind: 'cash', pence, given: pence + 10 } : { kind: 'external_card', pence, reference: '1' },
        key: 'k',
        isDown,
      }),
    ),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      let state: Till = emptyTill;
      for (const each of events) {
        const before = state;
        const [next, effects] = stepTill(before, each);
        state = next;
        for (const effect of effects) {
          if (effect.do === 'read menu') continue;
          expect(before.sent === null || each.type === 'lost').toBe(true);
          const { tenders, total } = effect.attempt;
          if (tenders) expect(tenders.reduce((sum, { pence }) => sum + pence, 0)).toBe(total);
          if (effect.do === 'keep' && !effect.isTried) expect(tenders?.every(({ kind }) => kind === 'cash')).toBe(true);
        }
        const drops = ['untender', 'clear', 'sold', 'lost'].includes(each.type) || effects.some((effect) => effect.do === 'keep');
        if (!drops) expect(state.paying?.tenders ?? []).toEqual(expect.arrayContaining([...(before.paying?.tenders ?? [])]));
        expect(state.lines.every(({ quantity }) => quantity > 0)).toBe(true);
      }
    }),
  );
});

test('a line names what it costs with its choices', () => {
  expect(lineOf(flatWhite, ['oat', 'shot'])).toMatchObject({ name: 'Flat white (Oat, Shot)', pence: 440 });
});
