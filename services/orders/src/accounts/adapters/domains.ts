import type Stripe from 'stripe';
import { z } from 'zod';
import { calling } from '../../provider/adapters.ts';

export interface Domains {
  /**
   * Registers a domain, unless it is registered, and has one checked again that Apple refused. Safe to repeat. Returns why its pages do not
   * offer Apple Pay, in the provider's words; null when they do, or when a person has switched the domain off at the provider.
   */
  register(domain: string): Promise<string | null>;
}

const Domain = z.object({
  id: z.string(),
  enabled: z.boolean(),
  apple_pay: z.object({ status: z.string(), status_details: z.object({ error_message: z.string() }).nullish() }),
});
type Domain = z.output<typeof Domain>;

/**
 * Payments are made on the platform's account, also those on behalf of a store (destination charges), so the domain is the platform's; each
 * account would need it for direct charges alone.
 */
export const createDomains = ({ paymentMethodDomains: domains }: Stripe): Domains => ({
  register: (domain) =>
    calling(async () => {
      const { data } = await domains.list({ domain_name: domain, limit: 1 });
      const [known] = z.array(Domain).parse(data);
      if (known && (!known.enabled || known.apple_pay.status === 'active')) return null;
      return reasonOf(Domain.parse(known ? await domains.validate(known.id) : await domains.create({ domain_name: domain })));
    }),
});

const reasonOf = ({ apple_pay: { status, status_details } }: Domain): string | null =>
  status === 'active' ? null : (status_details?.error_message ?? status);
