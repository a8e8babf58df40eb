import { z } from 'zod';

const keptMs = 300_000;
const timeoutMs = 5_000;

const Reply = z.object({ store: z.object({ code: z.string(), name: z.string(), currency: z.string(), time_zone: z.string() }) });
export type StoreFacts = z.output<typeof Reply>['store'];
const Own = z.object({ stores: z.array(z.object({ id: z.string(), code: z.string(), name: z.string() })) });
export type Named = Pick<StoreFacts, 'code' | 'name'>;

export interface StoreNames {
  /**
   * Returns the name, the code and the time zone of a store. When it cannot be read, its id replaces the first two, and the zone is UTC.
   */
  of(id: string): Promise<Pick<StoreFacts, 'code' | 'name' | 'time_zone'>>;
  /** Returns the token's stores by id, as the directory has them now; an empty map when it does not reply. */
  ofCaller(token: string): Promise<ReadonlyMap<string, Named>>;
}

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
    async ofCaller(token) {
      const { stores } = await read(`${gatewayUrl}/api/v1/directory/stores?limit=100`, Own, { authorization: `Bearer ${token}` }).catch(
        () => ({ stores: [] }),
      );
      return new Map(stores.map(({ id, code, name }) => [id, { code, name }]));
    },
  };
}

const readStore = async (gatewayUrl: string, id: string): Promise<StoreFacts> =>
  (await read(`${gatewayUrl}/api/v1/orders/stores/${encodeURIComponent(id)}/menu`, Reply)).store;

async function read<S extends z.ZodType>(url: string, schema: S, headers: Record<string, string> = {}): Promise<z.output<S>> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
  return schema.parse(await response.json());
}
