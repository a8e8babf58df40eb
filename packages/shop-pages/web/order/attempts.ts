import { type CornerClient, CornerError, newUuid, type operations, outcomeOf } from '@corner/client';
import { keptList } from '@corner/page-kit/browser/kept-list';
import { type Lock, withLock } from '@corner/page-kit/browser/lock';
import { kept as browserStorage, type Kept } from '@corner/page-kit/browser/storage';

type CreateOrder = operations['createOrder'];
export type OrderBody = Omit<CreateOrder['requestBody']['content']['application/json'], 'idempotency_key'>;
export type PlacedOrder = CreateOrder['responses'][200]['content']['application/json'];

/**
 * An order that the customer has asked for. It is stored before createOrder is sent, so that a lost reply, a second press, the back button,
 * a reload or another tab repeats the same request with the same key.
 *
 * - `begun`: it may or may not be placed; placing it again is safe and says which.
 * - `placed`: the order exists.
 * - `refused`: it does not exist, and the same request is not sent again.
 * - `finished`: it is paid, or has ended.
 */
export interface Attempt {
  readonly attempt_id: string;
  readonly idempotency_key: string;
  readonly body: OrderBody;
  readonly state: 'begun' | 'placed' | 'refused' | 'finished';
  readonly order_id: string | null;
  /** Epoch milliseconds. */
  readonly begun_at: number;
}

const name = 'corner.attempts';
const most = 20;
const openForMs = 60 * 60_000;

export interface AttemptEnvironment {
  readonly storage: Kept;
  readonly lock: Lock;
  readonly now: () => number;
}
const browser: AttemptEnvironment = { storage: browserStorage, lock: withLock, now: Date.now };

export const readAttempt = (attemptId: string, { storage } = browser): Attempt | undefined =>
  attemptsIn(storage)
    .read()
    .find(({ attempt_id }) => attempt_id === attemptId);

export const attemptOf = (orderId: string, { storage } = browser): Attempt | undefined =>
  attemptsIn(storage)
    .read()
    .find(({ order_id }) => order_id === orderId);

export const openAttempt = (storeId: string, { storage, now } = browser): Attempt | undefined =>
  attemptsIn(storage)
    .read()
    .find((one) => one.body.store_id === storeId && isOpen(one, now()));

/**
 * Returns an open attempt of the same order instead of a new one. If another order is open at the store, returns that attempt with
 * `differs`: it must be abandoned first.
 */
export async function beginAttempt(body: OrderBody, env = browser): Promise<{ readonly attempt: Attempt; readonly differs: boolean }> {
  return await env.lock('attempts', async () => {
    const open = openAttempt(body.store_id, env);
    if (open) return { attempt: open, differs: !isSameOrder(open.body, body) };
    const attempt: Attempt = {
      attempt_id: newUuid(),
      idempotency_key: newUuid(),
      body,
      state: 'begun',
      order_id: null,
      begun_at: env.now(),
    };
    attemptsIn(env.storage).add(attempt);
    return { attempt, differs: false };
  });
}

/**
 * Places the order of an attempt, or repeats the request with the same key: the reply is the same order with its current status. One tab
 * does so at a time. Throws a CornerError: the attempt is `refused` when the order was refused, and stays `begun` when it may have been
 * placed.
 */
export async function placeAttempt(client: Pick<CornerClient, 'POST'>, attemptId: string, env = browser): Promise<PlacedOrder> {
  return await env.lock(`attempt.${attemptId}`, async () => {
    const attempt = readAttempt(attemptId, env);
    if (!attempt) throw new Error('this browser has no such attempt');
    if (attempt.state === 'refused') throw new Error('the order of this attempt was refused: begin another');
    const { idempotency_key, body } = attempt;
    try {
      const header = { 'Idempotency-Key': idempotency_key };
      const { data } = await client.POST('/api/v1/orders', { params: { header }, body: { ...body, idempotency_key } });
      if (attempt.state !== 'finished') update(env, attemptId, { state: 'placed', order_id: data.order_id });
      justPlaced.set(attemptId, data);
      return data;
    } catch (error) {
      if (attempt.state === 'begun' && isRefusal(error)) update(env, attemptId, { state: 'refused' });
      throw error;
    }
  });
}

/** Returns the reply with which this page placed the order, which saves the next page a request; undefined the second time. */
export function takePlaced(attemptId: string): PlacedOrder | undefined {
  const placed = justPlaced.get(attemptId);
  justPlaced.delete(attemptId);
  return placed;
}

const justPlaced = new Map<string, PlacedOrder>();

export const finishAttempt = (attemptId: string, env = browser): void => update(env, attemptId, { state: 'finished' });

/**
 * Cancels the unpaid order of an attempt; if the order may exist, places it first. Returns false when it is paid, and so stays the
 * customer's order.
 */
export async function abandonAttempt(client: Pick<CornerClient, 'POST'>, attemptId: string, env = browser): Promise<boolean> {
  const attempt = readAttempt(attemptId, env);
  if (!attempt || attempt.state === 'refused') return true;
  try {
    const { order_id, status } = await placeAttempt(client, attemptId, env);
    const isUnpaid = status === 'pending_payment' || status === 'payment_failed';
    if (isUnpaid) {
      const { store_id } = attempt.body;
      await client.POST('/api/v1/orders/{orderId}/cancel', { params: { path: { orderId: order_id } }, body: { store_id } });
    }
    finishAttempt(attemptId, env);
    return isUnpaid || status === 'cancelled' || status === 'expired';
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.code !== 'TOO_LATE_TO_CANCEL';
  }
}

export const isRefusal = (error: unknown): error is CornerError => error instanceof CornerError && outcomeOf(error) === 'refused';

const isOpen = ({ state, begun_at }: Attempt, now: number): boolean =>
  (state === 'begun' || state === 'placed') && now - begun_at < openForMs;

/** The time that was shown passes. With a code or a voucher the store names the total, which the basket does not know. */
function isSameOrder(one: OrderBody, other: OrderBody): boolean {
  const comparable = ({ expected_ready_from: _, ...body }: OrderBody) =>
    JSON.stringify(body.promo_code || body.voucher_id ? { ...body, expected_total_pence: undefined } : body);
  return comparable(one) === comparable(other);
}

const update = ({ storage }: Pick<AttemptEnvironment, 'storage'>, attemptId: string, change: Partial<Attempt>): void =>
  attemptsIn(storage).change(({ attempt_id }) => attempt_id === attemptId, change);

const attemptsIn = (storage: Kept) => keptList<Attempt>(storage, name, most, (one) => typeof one?.attempt_id === 'string');
