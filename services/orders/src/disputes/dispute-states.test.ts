import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { disputeState } from './rules.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
  running.payments.controls.topUp(100_000, 'gbp');
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

async function inquiredOrder() {
  const order = await paidOrder(running, store);
  const { id } = running.payments.controls.openDispute(order.intent, { inquiry: true });
  const send = () => sendEventsAbout(running, id, 'charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed');
  await send();
  return {
    ...order,
    async become(status: string, money?: 'withdrawn' | 'returned') {
      running.payments.controls.setDispute(id, status, money);
      await send();
      const published = (await order.published('payment.disputed')) as unknown as readonly { readonly state: string }[];
      return [published.map(({ state }) => state), (await order.ledger()).filter(([kind]) => kind !== 'charge')];
    },
  };
}

const taken = [
  ['dispute', -640],
  ['dispute_fee', -2000],
  ['transfer_reversal', 608],
];

describe('a dispute is what its money says', () => {
  test.each([
    ['prevented', 'lost'],
    ['appeal_needs_response', 'opened'],
    ['appeal_under_review', 'opened'],
    ['a_state_of_next_year', 'opened'],
  ])('%s with its money withdrawn is %s: the ledger has it, and the store’s share is taken back', async (status, state) => {
    const order = await inquiredOrder();
    expect(await order.become(status, 'withdrawn')).toEqual([[state], taken]);
    expect((await order.refund()).body.error.code).toBe('ORDER_DISPUTED');
  });

  test.each(['prevented', 'warning_closed', 'a_state_of_next_year'])('%s without any money moved is no dispute', async (status) => {
    const order = await inquiredOrder();
    expect(await order.become(status)).toEqual([[], []]);
    expect((await order.refund()).status).toBe(200);
  });

  test('a lost one whose appeal is won returns its money, and the store gets its share again', async () => {
    const order = await inquiredOrder();
    await order.become('needs_response', 'withdrawn');
    await order.become('lost');
    await order.become('appeal_under_review');
    const back = [...taken, ['dispute_returned', 640], ['transfer', -608]];
    expect(await order.become('won', 'returned')).toEqual([['opened', 'lost', 'opened', 'won'], back]);
  });

  test('one in an unknown state that has its money back is won', () => {
    const movement = (amountPence: number) => ({ id: 'txn', amountPence, feePence: 0, currency: 'GBP' });
    expect(disputeState(null, [movement(-640), movement(640)])).toBe('won');
  });
});
