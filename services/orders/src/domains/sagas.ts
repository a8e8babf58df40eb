import type { Context } from '../context.ts';

/** Registers the shop's domain at the payment provider: its form hides Apple Pay on pages of any other. */
export async function registerShopDomain({ domains, shopDomain, log }: Context): Promise<void> {
  if (shopDomain === null) return;
  const reason = await domains.register(shopDomain);
  if (reason !== null) log.warn({ domain: shopDomain, reason }, 'the shop’s pages do not offer Apple Pay');
}
