import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AfterOrder } from '../../order/after-order.ts';
import { newPayment, type PaymentEffect, type PaymentEvent, type PaymentMachine, type Stage, stepPayment } from './payment.ts';
import type { PayableOrder, PaymentState } from './provider.ts';

const placed = {
  order_id: 'o',
  requires_payment: true,
  payment_intent_id: 'pi',
  client_secret: 's',
  status: 'pending_payment',
} as PayableOrder;
const payments = { kind: 'sandbox', url: 'https://pay.test', publishable_key: 'pk' } as const;
const earned: AfterOrder = { order_id: 'o', answered: false, stamps_added: 1, stamp_count: 3, goal: 9, reward_title: null };
const unpaid: PaymentState = { status: 'unpaid', declined: null };
const take = async () => unpaid;

function after(...events: readonly PaymentEvent[]): readonly [PaymentMachine, readonly PaymentEffect[]] {
  let now: readonly [PaymentMachine, readonly PaymentEffect[]] = [newPayment, []];
  for (const event of events) now = stepPayment(now[0], event);
  return now;
}
const opened: readonly PaymentEvent[] = [
  { type: 'begin', attempt: 'begun' },
  { type: 'placed', placed },
  { type: 'opened', placed, payments, state: unpaid },
];
const pressed: readonly PaymentEvent[] = [...opened, { type: 'pay', take }, { type: 'looked', state: unpaid }];

test('the state is read before each step at the provider, and a payment that was made meanwhile is confirmed instead', () => {
  expect(after(...opened, { type: 'pay', take })).toMatchObject([{ running: 'look' }, [{ do: 'look' }]]);
  expect(after(...pressed)).toMatchObject([{ running: 'take' }, [{ do: 'take', take }]]);
  const meanwhile: PaymentEvent = { type: 'looked', state: { status: 'succeeded' } };
  expect(after(...opened, { type: 'pay', take }, meanwhile)).toMatchObject([{ stage: { at: 'paid' } }, [{ do: 'confirm' }]]);
});

test('a declined card, a bank that asks and one that has not decided each leave a way on', () => {
  const outcomes: readonly (readonly [PaymentState | null, object])[] = [
    [
      { status: 'unpaid', declined: 'insufficient_funds' },
      { at: 'paying', declined: 'insufficient_funds' },
    ],
    [{ status: 'asks' }, { at: 'asked' }],
    [{ status: 'processing' }, { at: 'processing' }],
    [{ status: 'canceled' }, { at: 'ended' }],
    [null, { at: 'paying', declined: null }],
  ];
  for (const [state, stage] of outcomes) expect(after(...pressed, { type: 'taken', state })[0]).toMatchObject({ running: null, stage });
  const asked = [...pressed, { type: 'taken', state: { status: 'asks' } }] as const;
  expect(after(...asked, { type: 'close' })[0].stage).toMatchObject({ at: 'paying', declined: 'authentication_closed' });
});

test('a second press while something runs, and an outcome of what was given up, change nothing', () => {
  const waiting = after(...opened, { type: 'pay', take })[0];
  for (const event of [{ type: 'pay', take }, { type: 'begin', attempt: 'begun' }, { type: 'close' }] as const)
    expect(stepPayment(waiting, event)).toEqual([waiting, []]);
  const late: PaymentEvent = { type: 'taken', state: { status: 'succeeded' } };
  expect(stepPayment(after(...opened)[0], late)).toEqual([after(...opened)[0], []]);
});

test('an order that was paid in another tab is confirmed, and its page is shown with what it earned', () => {
  const elsewhere: PaymentEvent = { type: 'order', id: 'o', status: 'placed' };
  expect(after(...opened, elsewhere)).toMatchObject([{ stage: { at: 'paid' } }, [{ do: 'confirm' }]]);
  expect(after(...opened, elsewhere, { type: 'confirmed', earned })[1]).toEqual([{ do: 'leave', orderId: 'o', earned }]);
  const late = after(...opened, elsewhere, { type: 'not confirmed', error: 'lost' });
  expect(late).toMatchObject([{ running: 'leave' }, [{ do: 'leave', earned: null }]]);
});

test('what has ended, is free, refused or not known takes no payment', () => {
  const begun = opened[0] as PaymentEvent;
  expect(after(begun, { type: 'placed', placed: { ...placed, status: 'expired', requires_payment: false } })[1]).toEqual([
    { do: 'finish' },
  ]);
  const free = after(begun, { type: 'placed', placed: { ...placed, status: 'placed', requires_payment: false } });
  expect(free[1]).toEqual([{ do: 'leave', orderId: 'o', earned: 'not known' }]);
  expect(after({ type: 'begin', attempt: 'none' })).toMatchObject([{ stage: { at: 'unknown' } }, []]);
  expect(after({ type: 'begin', attempt: 'refused' })).toMatchObject([{ stage: { at: 'refused' } }, []]);
  expect(after(begun, { type: 'not placed', error: 'lost', isRefused: false })[0].stage).toEqual({ at: 'failed', error: 'lost' });
  expect(after(...opened, { type: 'order', id: 'o', status: 'cancelled' })).toMatchObject([{ stage: { at: 'ended' } }, [{ do: 'finish' }]]);
});

interface World {
  intent: PaymentState;
  order: string;
  charges: number;
  confirmed: boolean;
}

function reply(effect: PaymentEffect, world: World, dice: number): PaymentEvent | undefined {
  const isLost = dice % 5 === 0;
  switch (effect.do) {
    case 'place':
      return isLost
        ? { type: 'not placed', error: dice, isRefused: false }
        : { type: 'placed', placed: { ...placed, status: world.order as 'placed' } };
    case 'open':
      return isLost ? { type: 'not placed', error: dice, isRefused: false } : { type: 'opened', placed, payments, state: world.intent };
    case 'look':
      return isLost ? { type: 'unsure', error: dice } : { type: 'looked', state: world.intent };
    case 'take': {
      // The provider charges an intent once; the page must not ask for another payment once it knows of one.
      const next: readonly PaymentState[] = [
        { status: 'succeeded' },
        { status: 'asks' },
        { status: 'processing' },
        { status: 'unpaid', declined: 'x' },
      ];
      if (world.intent.status === 'unpaid' || world.intent.status === 'asks') world.intent = next[dice % 4] as PaymentState;
      if (world.intent.status === 'succeeded') world.charges += 1;
      return isLost ? { type: 'unsure', error: dice } : { type: 'taken', state: world.intent };
    }
    case 'confirm':
      world.confirmed = true;
      world.order = 'placed';
      return isLost ? { type: 'not confirmed', error: dice } : { type: 'confirmed', earned };
    default:
      return undefined;
  }
}

const asynchronous = ['place', 'open', 'look', 'take', 'confirm'];
const presses: readonly ((world: World) => PaymentEvent)[] = [
  () => ({ type: 'pay', take }),
  () => ({ type: 'close' }),
  () => ({ type: 'look again' }),
  () => ({ type: 'begin', attempt: 'begun' }),
  ({ order }) => ({ type: 'order', id: 'o', status: order }),
];

test('whatever is pressed, lost or decided in whatever order: one thing runs at a time, and nothing is paid, confirmed or ended that should not be', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 60 }), (dice) => {
      const world: World = { intent: unpaid, order: 'pending_payment', charges: 0, confirmed: false };
      const running: PaymentEffect[] = [];
      let [now] = after();
      const send = (event: PaymentEvent): void => {
        const [next, effects] = stepPayment(now, event);
        for (const effect of effects) {
          if (effect.do === 'take') expect(knowsOfPayment(now.stage)).toBe(false);
          if (effect.do === 'confirm') expect(world.intent.status === 'succeeded' || world.order === 'placed').toBe(true);
          if (effect.do === 'finish') expect(world.intent.status).toBe('canceled');
          if (effect.do === 'leave') expect(world.order).toBe('placed');
          if (asynchronous.includes(effect.do)) running.push(effect);
        }
        now = next;
        expect(running.length).toBe(now.running === null || now.running === 'leave' ? 0 : 1);
      };
      send({ type: 'begin', attempt: 'begun' });
      for (const die of dice) {
        if (die % 17 === 0 && world.intent.status === 'processing') world.intent = { status: 'succeeded' };
        const [effect] = running;
        const replied = die % 2 === 0 && effect ? reply(effect, world, Math.floor(die / 2)) : undefined;
        if (replied) running.length = 0;
        send(replied ?? (presses[die % presses.length]?.(world) as PaymentEvent));
      }
      for (let round = 0; round < 12; round += 1) {
        const effect = running.shift();
        const replied = effect && reply(effect, world, 4 * round + 1 + Number((4 * round + 1) % 5 === 0));
        send(replied ?? { type: 'begin', attempt: 'begun' });
      }
      expect(world.charges).toBeLessThanOrEqual(1);
      if (world.intent.status === 'succeeded') expect(world.confirmed).toBe(true);
    }),
    { numRuns: 400 },
  );
});

const knowsOfPayment = ({ at }: Stage): boolean => at === 'paid' || at === 'ended' || at === 'processing';
