import type { Explained } from '@corner/chassis';
import type { Context } from '../context.ts';
import { explainOrders, explainOrdersOf, explainProviderEvents, explainStores } from './tables/explain.ts';

export async function explain(ids: readonly string[], context: Explaining): Promise<Explained> {
  const { database, now } = context;
  const parts = [
    await explainOrders(database, ids),
    await explainOrdersOf(database, ids),
    await explainStores(database, ids, now()),
    await explainProviderEvents(database, ids),
    await explainCharges(ids, context),
  ];
  return { facts: parts.flatMap(({ facts }) => facts), also: parts.flatMap(({ also }) => also) };
}

const mostCharges = 5;

/** Reads which payment a charge belongs to from the provider, since charges are not stored here. A missing reply becomes a fact too. */
async function explainCharges(ids: readonly string[], { payments, now, log }: Explaining): Promise<Explained> {
  const charges = ids.filter((id) => /^(?:ch|py)_\w+$/.test(id)).slice(0, mostCharges);
  const parts = await Promise.all(
    charges.map(async (id): Promise<Explained> => {
      const at = now().toISOString();
      try {
        const intent = await payments.intentOfCharge(id);
        return intent
          ? { facts: [{ at, sentence: `The provider says that the charge ${id} is of the payment ${intent}.` }], also: [intent] }
          : { facts: [], also: [] };
      } catch (error) {
        log.warn({ err: error }, 'the payment of a charge could not be asked for');
        return { facts: [{ at, sentence: `The provider did not say which payment the charge ${id} is of; ask again later.` }], also: [] };
      }
    }),
  );
  return { facts: parts.flatMap(({ facts }) => facts), also: parts.flatMap(({ also }) => also) };
}

interface Explaining extends Pick<Context, 'database' | 'now' | 'log'> {
  readonly payments: { intentOfCharge(chargeId: string): Promise<string | null> };
}
