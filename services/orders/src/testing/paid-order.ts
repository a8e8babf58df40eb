import { randomUUID } from 'node:crypto';
import { type Answered, customer, pay, worker } from './callers.ts';
import { ledgerOf, logOf, toldOf } from './rows.ts';
import type { OpenStore, Running } from './running.ts';

/** A paid order, of 640 pence unless wished otherwise; what was made of it, and somebody who may refund it, each time as an attempt of its own. */
export async function paidOrder(running: Running, store: OpenStore, wish: Record<string, unknown> = {}, card?: string) {
  const ada = customer(running);
  const { body: order } = await ada.create(store, wish);
  if (order.requires_payment) {
    await pay(running, order.payment_intent_id, card);
    await ada.confirm(store, order.payment_intent_id);
  }
  const id: string = order.order_id;
  const staff = worker(running, store);
  return {
    id,
    intent: order.payment_intent_id as string,
    refund: (amount_pence?: number, refund_attempt_id: string = randomUUID()) =>
      staff.refund(id, { refund_attempt_id, ...(amount_pence === undefined ? {} : { amount_pence }) }),
    status: async () => (await staff.get(id)).body.order.status,
    atProvider: () => running.payments.books().refunds.filter(({ payment_intent }) => payment_intent === order.payment_intent_id),
    ledger: async () => (await ledgerOf(running, id)).map(({ kind, amount_pence }) => [kind, amount_pence]),
    told: async (type: string) => (await toldOf(running, id)).filter((event) => event.type === type).map(({ data }) => data),
    logged: async (kind: string) => (await logOf(running, id)).filter((one) => one === kind).length,
  };
}

/** What a refund was answered: its amount, or the problem. */
export const says = ({ status, body }: Answered) => [status, body.error?.code ?? body.refund.amount];
