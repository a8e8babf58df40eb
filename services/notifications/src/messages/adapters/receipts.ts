import type { Call } from '@corner/chassis';
import { maxOtherReceipts, Problem, type Receipt, readReceipt } from '@corner/contracts';

interface OrderOfStore {
  readonly order_id: string;
  readonly store_id: string;
}

export type ReadReceipt = (order: OrderOfStore) => Promise<Receipt | null>;

interface Asked extends PromiseWithResolvers<Receipt | null> {
  readonly order: OrderOfStore;
}

/**
 * Returns null when the store has no such paid order. Throws RpcUnavailable. The receipts of one lease of messages are read by one call, in
 * the trace of the first.
 */
export function createReceiptReader(call: Call): ReadReceipt {
  const waiting: Asked[] = [];
  const askAll = () => {
    for (const all = waiting.splice(0); all.length > 0; ) void ask(all.splice(0, 1 + maxOtherReceipts), call);
  };
  return (order) => {
    const asked = { order, ...Promise.withResolvers<Receipt | null>() };
    if (waiting.push(asked) === 1) queueMicrotask(askAll);
    return asked.promise;
  };
}

async function ask([first, ...others]: readonly Asked[], call: Call): Promise<void> {
  if (!first) return;
  try {
    const input = others.length === 0 ? first.order : { ...first.order, others: others.map(({ order }) => order) };
    const { others: receipts, ...receipt } = await call(readReceipt, input);
    first.resolve(receipt);
    // A release of orders from before `others` replies with the first one only.
    if (receipts) for (const [n, { resolve }] of others.entries()) resolve(receipts[n] ?? null);
    else await Promise.all(others.map((asked) => ask([asked], call)));
  } catch (error) {
    if (error instanceof Problem) {
      first.resolve(null);
      return await ask(others, call);
    }
    for (const { reject } of [first, ...others]) reject(error);
  }
}
