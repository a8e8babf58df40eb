import { type Call, RpcUnavailable } from '@corner/chassis';
import { maxOtherReceipts, Problem, type readReceipt } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { receiptOf } from '../testing/messaging.ts';
import { createReceiptReader } from './receipts.ts';

type Input = ReturnType<typeof readReceipt.input.parse>;

const store_id = '01990000-0000-7000-8000-000000000001';
const orderNumbered = (n: number) => ({ order_id: `01990000-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`, store_id });
const receipts = (count: number) => Array.from({ length: count }, (_, n) => receiptOf({ order_number: orderNumbered(n).order_id }));

function readerOf(answer: (input: Input) => object) {
  const calls: Input[] = [];
  const call = (async (_rpc: unknown, input: Input) => {
    calls.push(input);
    return answer(input);
  }) as unknown as Call;
  const read = createReceiptReader(call);
  return { calls, readAll: (count: number) => Promise.all(Array.from({ length: count }, (_, n) => read(orderNumbered(n)))) };
}

const own = ({ order_id }: { readonly order_id: string }) => receiptOf({ order_number: order_id });
const withOthers = ({ others, ...first }: Input) => ({ ...own(first), ...(others ? { others: others.map(own) } : {}) });

describe('receipts that are asked for at once', () => {
  test('are read by one call, and each asker gets its own', async () => {
    const { calls, readAll } = readerOf(withOthers);
    expect(await readAll(3)).toEqual(receipts(3));
    expect(calls).toEqual([{ ...orderNumbered(0), others: [orderNumbered(1), orderNumbered(2)] }]);
    expect(await readAll(1)).toEqual(receipts(1));
    expect(calls[1]).toEqual(orderNumbered(0));
  });

  test('are read by as many calls as they need', async () => {
    const { calls, readAll } = readerOf(withOthers);
    const count = 2 * (1 + maxOtherReceipts) + 1;
    expect(await readAll(count)).toEqual(receipts(count));
    expect(calls.map(({ others = [] }) => 1 + others.length)).toEqual([1 + maxOtherReceipts, 1 + maxOtherReceipts, 1]);
  });

  test('are read one by one from a release of orders that knows no others', async () => {
    const { calls, readAll } = readerOf(own);
    expect(await readAll(3)).toEqual(receipts(3));
    expect(calls).toHaveLength(3);
  });

  test('are null for an order that the store has not, also for the first one', async () => {
    const { readAll } = readerOf(({ others, ...first }) => {
      if (first.order_id === orderNumbered(0).order_id) throw new Problem('ORDER_NOT_FOUND');
      return { ...own(first), ...(others ? { others: others.map(() => null) } : {}) };
    });
    expect(await readAll(3)).toEqual([null, own(orderNumbered(1)), null]);
  });

  test('are all missing when orders does not reply', async () => {
    const { readAll } = readerOf(() => {
      throw new RpcUnavailable('orders.receipt');
    });
    await expect(readAll(2)).rejects.toThrow(RpcUnavailable);
  });
});
