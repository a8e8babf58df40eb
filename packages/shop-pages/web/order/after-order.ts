import type { operations } from '@corner/client';
import { kept, notifyKept, readJson, whenKeptChanges, writeJson } from '@corner/page-kit/browser/storage';
import { useEffect, useState } from 'preact/hooks';
import { type Attempt, finishAttempt } from './attempts.ts';
import { emptyBasketOf } from './basket-store.ts';

type Confirmed = operations['confirmOrder']['responses'][200]['content']['application/json'];

/** What the customer is shown once, after the order is paid. */
export interface AfterOrder {
  readonly order_id: string;
  /** Whether the customer has answered the question about news of the shop here. */
  readonly answered: boolean;
  /** Stamps that the order earned; null when that is not known yet. */
  readonly stamps_added: number | null;
  readonly stamp_count: number | null;
  readonly goal: number | null;
  /** The reward that the order completed; null for none. */
  readonly reward_title: string | null;
}

const name = 'corner.after-order';

/** Keeps what is to be shown of the order that was paid last in this browser. */
export function keepAfterOrder(value: AfterOrder): void {
  writeJson(kept, name, value);
  notifyKept(name);
}

/** Ends an attempt whose order is paid: the basket that it was made of is emptied, once. */
export function finishPaid(attempt: Attempt): void {
  if (attempt.state !== 'finished') emptyBasketOf(attempt.body.store_code);
  finishAttempt(attempt.attempt_id);
}

/** After an order that costs nothing: it is not confirmed, and what it earned is not known. */
export const nothingEarned = { answered: false, stamps_added: null, stamp_count: null, goal: null, reward_title: null };

/** Takes from the reply of confirmOrder what is to be shown. */
export const afterConfirmed = (reply: Confirmed): AfterOrder => ({
  order_id: reply.order_id,
  answered: false,
  stamps_added: reply.stamps_added ?? null,
  stamp_count: reply.stamp_count ?? null,
  goal: reply.goal ?? null,
  reward_title: reply.voucher_minted === true ? (reply.reward_title ?? null) : null,
});

/** Returns what is to be shown of an order; undefined when it was not the last one that was paid in this browser. */
export function useAfterOrder(orderId: string): AfterOrder | undefined {
  const [, changed] = useState({});
  useEffect(() => whenKeptChanges(name, () => changed({})), []);
  const value = readJson(kept, name) as AfterOrder | undefined;
  return value?.order_id === orderId ? value : undefined;
}
