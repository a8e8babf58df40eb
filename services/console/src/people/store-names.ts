import { z } from 'zod';

/** Milliseconds for which a store's name is kept. */
const keptMs = 300_000;
const timeoutMs = 5_000;

const Reply = z.object({ store: z.object({ code: z.string(), name: z.string(), currency: z.string(), time_zone: z.string() }) });
export type StoreFacts = z.output<typeof Reply>['store'];

/** Looks up stores by their ids. */
export interface StoreNames {
  /** Returns the name, the code and the time zone of a store. When it cannot be read, its id stands for the first two, and the zone is UTC. */
  of(id: string): Promise<Pick<StoreFacts, 'code' | 'name' | 'time_zone'>>;
}

/** Reads stores through the gateway, as an app does. */
export function createStoreNames(gatewayUrl: string, now: () => Date): StoreNames {
  const known = new Map<string, { readonly store: StoreFacts; readonly until: number }>();
  return {
    async of(id) {
      const kept = known.get(id);
      if (kept && kept.until > now().getTime()) return kept.store;
      const store = await readStore(gatewayUrl, id).catch(() => kept?.store);
      if (!store) return { code: id.slice(-4), name: id, time_zone: 'UTC' };
      known.set(id, { store, until: now().getTime() + keptMs });
      return store;
    },
  };
}

async function readStore(gatewayUrl: string, id: string): Promise<StoreFacts> {
  const response = await fetch(`${gatewayUrl}/api/v1/orders/stores/${encodeURIComponent(id)}/menu`, {
    signal: AbortSignal.timeout(timeoutMs),
  });
  return Reply.parse(await response.json()).store;
}
