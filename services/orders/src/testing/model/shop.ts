import { randomUUID } from 'node:crypto';
import type { Envelope } from '@corner/contracts';
import { inTurn } from '@corner/testkit';
import type { OrdersContext } from '../../service.ts';
import { type ApiResponse, basketOf, customer, pay, worker } from '../callers.ts';
import type { Loyalty } from '../loyalty.ts';
import { menu, type OpenStore, type Running } from '../running.ts';
import { switches } from '../switching.ts';
import { slotIn } from '../whole-store.ts';
import { ProviderSide } from './provider-side.ts';
import type { Step, StepOf } from './steps.ts';
import { issueVouchers, type Vouchers } from './vouchers.ts';

/**
 * The promises that responses made about an order: once paid it stays paid, and once ended it stays so. `request` placed it; null for a
 * leg. Refunds are by attempt, with what was requested as JSON and the response.
 */
export interface KnownOrder {
  readonly id: string;
  readonly customerIndex: number;
  readonly request: Record<string, unknown> | null;
  readonly intentId: string | null;
  paid: boolean;
  ended: 'cancelled' | 'fulfilled' | null;
  readonly refunds: Map<string, { readonly asked: string; readonly amount: number; readonly status: string }>;
}

const cream = { id: 'with', name: 'With', choices: [{ id: 'cream', name: 'Cream', price_pence: 50 }] };
const cakes = { id: 'cake', name: 'Cake', price_pence: 400, stock: 4, prep_minutes: 1, options: [cream] };

export async function openShop(running: Running, loyalty: Loyalty): Promise<Shop> {
  const slots = [slotIn(running, 600, 2), slotIn(running, 660, 1), slotIn(running, 720, null)];
  const promo = { id: randomUUID(), code: 'THREE', kind: 'percent' as const, value: 15, max_uses: 3 };
  const store = await running.openStore({}, [...menu, cakes], slots, [promo]);
  return new Shop(running, store, slots, issueVouchers(running, loyalty, store.id));
}

type Customer = ReturnType<typeof customer>;

export class Shop {
  readonly orders: KnownOrder[] = [];
  readonly wrong: string[] = [];
  readonly running: Running;
  readonly store: OpenStore;
  readonly slots: readonly ReturnType<typeof slotIn>[];
  readonly vouchers: Vouchers;
  readonly provider: ProviderSide;
  readonly staff: ReturnType<typeof worker>;
  readonly switches: ReturnType<typeof switches>;
  readonly customers: readonly Customer[];
  readonly consume: (event: Envelope) => Promise<void>;
  isErased = false;

  constructor(running: Running, store: OpenStore, slots: Shop['slots'], vouchers: Vouchers) {
    this.running = running;
    this.store = store;
    this.slots = slots;
    this.vouchers = vouchers;
    this.provider = new ProviderSide(running, store);
    this.consume = inTurn(async (event) => {
      await running.publish(event);
      await running.processed(event);
    });
    this.staff = worker(running, store, 'merchant');
    this.switches = switches(running, store, this.staff);
    this.customers = Array.from({ length: 3 }, () => customer(running));
  }

  get leaver(): Customer {
    return this.customer(2);
  }

  customer(index: number): Customer {
    return this.customers[index % this.customers.length] as Customer;
  }

  known(position: number): KnownOrder | undefined {
    return this.orders.length === 0 ? undefined : this.orders.at(-1 - (position % this.orders.length));
  }

  remember(id: string, customerIndex: number, about: Partial<KnownOrder>): void {
    const before = this.orders.find((order) => order.id === id);
    if (before) before.paid ||= about.paid ?? false;
    else this.orders.push({ id, customerIndex, request: null, intentId: null, paid: false, ended: null, refunds: new Map(), ...about });
  }

  /** Records a wrong response: a 5xx other than for an outside failure, or an error without a code. */
  checked(step: Step, response: ApiResponse): ApiResponse {
    // The service should never send a refund that the provider declines, unless something happened there that it cannot know yet.
    const mayBeDeclined = this.provider.interfered || response.body.error?.code !== 'REFUND_REJECTED';
    const fine = response.status < 500 || ([502, 503].includes(response.status) && mayBeDeclined);
    if (!fine || (response.status >= 400 && !response.body.error?.code))
      this.wrong.push(`${JSON.stringify(step)}: ${response.status} ${JSON.stringify(response.body)}`);
    return response;
  }

  /** Runs a job twice at once, like two replicas would if the job's lock were lost. */
  async twice(work: (context: OrdersContext) => Promise<void>): Promise<void> {
    const { context } = this.running.service;
    await Promise.all([work(context), work(context)]);
  }

  async place(step: StepOf<'create'>, request: Record<string, unknown>): Promise<void> {
    const { customerIndex } = step;
    const { status, body } = this.checked(step, await this.customer(customerIndex).call('POST', '/api/v1/orders', request));
    if (status !== 200) return;
    if (this.orders.some((order) => order.request === request && order.id !== body.order_id))
      this.wrong.push(`one key placed two orders: ${body.order_id}`);
    let paid = body.status === 'paid';
    if (step.paid && body.payment_intent_id) {
      await pay(this.running, body.payment_intent_id).catch(() => {});
      const confirmed = this.checked(step, await this.customer(customerIndex).confirm(this.store, body.payment_intent_id));
      paid = confirmed.status === 200;
      for (const { order_id } of confirmed.body.children ?? []) this.remember(order_id, customerIndex, { paid });
    }
    this.remember(body.order_id, customerIndex, { request, intentId: body.payment_intent_id, paid });
  }

  /** Confirms an order, always under the same Idempotency-Key, like an app that repeats until it is paid. */
  confirmUnderKey({ id, customerIndex, intentId }: KnownOrder): Promise<ApiResponse> {
    const body = { store_id: this.store.id, payment_intent_id: intentId };
    return this.customer(customerIndex).call('POST', '/api/v1/orders/confirm', body, { 'Idempotency-Key': `confirm-${id}` });
  }

  basket(request: Record<string, unknown>): Record<string, unknown> {
    return basketOf(this.store, request);
  }
}
