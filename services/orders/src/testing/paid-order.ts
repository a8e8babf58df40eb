import { randomUUID } from 'node:crypto';
import { type ApiResponse, customer, worker } from './callers.ts';
import { eventsOf, ledgerOf, logOf } from './rows.ts';
import type { OpenStore, Running } from './running.ts';

export async function paidOrder(running: Running, store: OpenStore, request: Record<string, unknown> = {}, card?: string) {
  const ada = customer(running);
  const { body: order } = await ada.create(store, request);
  if (order.requires_payment) await ada.payAndConfirm(store, order, card);
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
    published: async (type: string) => (await eventsOf(running, id)).filter((event) => event.type === type).map(({ data }) => data),
    logged: async (kind: string) => (await logOf(running, id)).filter((one) => one === kind).length,
  };
}

export const outcomeOf = ({ status, body }: ApiResponse) => [status, body.error?.code ?? body.refund.amount];
