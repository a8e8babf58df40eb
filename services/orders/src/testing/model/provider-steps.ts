import type { Shop } from './shop.ts';
import type { StepOf } from './steps.ts';

export type ProviderStep = 'failRefund' | 'dashboardRefund' | 'dispute' | 'decide' | 'settleIntent' | 'account' | 'loseWebhooks' | 'fault';

export const providerSteps: { readonly [K in ProviderStep]: (shop: Shop, step: StepOf<K>) => Promise<void> } = {
  async failRefund(shop, { order }) {
    const { provider } = shop;
    const intentId = shop.known(order)?.intentId;
    const refund = provider.controls.books().refunds.find((one) => one.payment_intent === intentId && one.status === 'succeeded');
    if (refund) provider.attempt(() => provider.controls.failRefund(refund.id));
  },
  async dashboardRefund(shop, { order, pence }) {
    const { provider } = shop;
    const intentId = shop.known(order)?.intentId;
    if (intentId) provider.attempt(() => provider.controls.dashboardRefund(intentId, pence ?? undefined));
  },
  async dispute(shop, { order, inquiry }) {
    const { provider } = shop;
    const intentId = shop.known(order)?.intentId;
    if (intentId) provider.attempt(() => provider.controls.openDispute(intentId, { inquiry }));
  },
  async decide(shop, { order, outcome }) {
    const { provider } = shop;
    const intentId = shop.known(order)?.intentId;
    const dispute = provider.controls.books().disputes.find(({ payment_intent }) => payment_intent === intentId);
    if (!dispute) return;
    if (dispute.status.startsWith('warning_')) provider.attempt(() => provider.controls.escalateInquiry(dispute.id));
    else provider.attempt(() => provider.controls.closeDispute(dispute.id, outcome));
  },
  async settleIntent(shop, { order, outcome }) {
    const { provider } = shop;
    const intentId = shop.known(order)?.intentId;
    if (intentId) provider.attempt(() => provider.controls.settleIntent(intentId, outcome));
  },
  async account({ provider }, { restricted }) {
    provider.restricted = restricted;
    const { controls, account } = provider;
    provider.attempt(() => (restricted ? controls.restrictAccount(account) : controls.restoreAccount(account)));
  },
  async loseWebhooks({ provider }) {
    provider.controls.discard();
  },
  async fault({ provider }, { how, path, method, times }) {
    provider.controls.failNext({ how, path, method, times });
  },
};
