import type { operations } from '@corner/client';
import { kept, notifyKept, readJson, whenKeptChanges, writeJson } from '@corner/page-kit/browser/storage';
import { useEffect, useState } from 'preact/hooks';
import { type Attempt, finishAttempt } from './attempts.ts';
import { emptyBasketOf } from './basket-store.ts';

type Confirmed = operations['confirmOrder']['responses'][200]['content']['application/json'];

/**
 * Shown to the customer once. `answered`: the customer has answered the question about news here. Counts of stamps are null while unknown,
 * `reward_title` is null if the order completed no reward.
 */
export interface AfterOrder {
  readonly order_id: string;
  readonly answered: boolean;
  readonly stamps_added: number | null;
  readonly stamp_count: number | null;
  readonly goal: number | null;
  readonly reward_title: string | null;
}

const name = 'corner.after-order';

export function keepAfterOrder(value: AfterOrder): void {
  writeJson(kept, name, value);
  notifyKept(name);
}

export function finishPaid(attempt: Attempt): void {
  if (attempt.state !== 'finished') emptyBasketOf(attempt.body.store_code);
  finishAttempt(attempt.attempt_id);
}

export const nothingEarned = { answered: false, stamps_added: null, stamp_count: null, goal: null, reward_title: null };

export const afterConfirmed = (reply: Confirmed): AfterOrder => ({
  order_id: reply.order_id,
  answered: false,
  stamps_added: reply.stamps_added ?? null,
  stamp_count: reply.stamp_count ?? null,
  goal: reply.goal ?? null,
  reward_title: reply.voucher_minted === true ? (reply.reward_title ?? null) : null,
});

export function useAfterOrder(orderId: string): AfterOrder | undefined {
  const [, changed] = useState({});
  useEffect(() => whenKeptChanges(name, () => changed({})), []);
  const value = readJson(kept, name) as AfterOrder | undefined;
  return value?.order_id === orderId ? value : undefined;
}
