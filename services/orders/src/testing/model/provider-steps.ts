import type { OpenStore, Running } from '../running.ts';
import type { KnownOrder } from './known-order.ts';
import type { StepOf } from './steps.ts';

const names = ['failRefund', 'dashboardRefund', 'dispute', 'decide', 'settleIntent', 'account', 'loseWebhooks', 'fault'] as const;
export type ProviderSteps = { readonly [K in (typeof names)[number]]: (step: StepOf<K>) => Promise<void> };

/** What happens at the payment provider and at banks, without the service. */
export interface ProviderSide {
  readonly steps: ProviderSteps;
  /** Whether anything happened there today after which a refund can be declined. */
  interfered(): boolean;
  /** Whether the store's account is restricted. */
  restricted(): boolean;
  /** From now on nothing fails, held webhooks are lost, and banks have decided about slow payments. */
  endOfDay(): void;
}

export function providerSteps(
  { payments: { controls } }: Running,
  { account }: OpenStore,
  known: (n: number) => KnownOrder | undefined,
): ProviderSide {
  let interfered = false;
  let restricted = false;

  /** Does what the provider may refuse, for example a dispute of a payment that is disputed. */
  const attempt = (work: () => unknown): void => {
    try {
      work();
      interfered = true;
    } catch (error) {
      if (!(error instanceof Error && 'status' in error)) throw error;
    }
  };
  const disputeOf = (intentId: string | null | undefined) =>
    controls.books().disputes.find(({ payment_intent }) => payment_intent === intentId);

  return {
    steps: {
      async failRefund({ order }) {
        const intentId = known(order)?.intentId;
        const refund = controls.books().refunds.find((one) => one.payment_intent === intentId && one.status === 'succeeded');
        if (refund) attempt(() => controls.failRefund(refund.id));
      },
      async dashboardRefund({ order, pence }) {
        const intentId = known(order)?.intentId;
        if (intentId) attempt(() => controls.dashboardRefund(intentId, pence ?? undefined));
      },
      async dispute({ order, inquiry }) {
        const intentId = known(order)?.intentId;
        if (intentId) attempt(() => controls.openDispute(intentId, { inquiry }));
      },
      async decide({ order, outcome }) {
        const dispute = disputeOf(known(order)?.intentId);
        if (!dispute) return;
        if (dispute.status.startsWith('warning_')) attempt(() => controls.escalateInquiry(dispute.id));
        else attempt(() => controls.closeDispute(dispute.id, outcome));
      },
      async settleIntent({ order, outcome }) {
        const intentId = known(order)?.intentId;
        if (intentId) attempt(() => controls.settleIntent(intentId, outcome));
      },
      async account(step) {
        restricted = step.restricted;
        attempt(() => (restricted ? controls.restrictAccount(account) : controls.restoreAccount(account)));
      },
      async loseWebhooks() {
        controls.discard();
      },
      async fault({ how, path, method, times }) {
        controls.failNext({ how, path, method, times });
      },
    },
    interfered: () => interfered,
    restricted: () => restricted,
    endOfDay() {
      controls.clearFaults();
      controls.discard();
      const slow = controls.books().intents.filter(({ status }) => status === 'processing');
      for (const [n, { id }] of slow.entries()) controls.settleIntent(id, n % 2 === 0 ? 'succeeded' : 'failed');
      controls.discard();
    },
  };
}
