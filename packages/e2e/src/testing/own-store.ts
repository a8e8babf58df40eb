import { randomBytes, randomUUID } from 'node:crypto';
import { connectNats } from '@corner/nats';
import { applyDirectory, callerOf, importDirectory } from '@corner/operator';
import { demoDirectory, people, stores } from '@corner/sandbox/demo';
import type { RunningSystem } from '@corner/sandbox/system';
import { callApi } from './call-api.ts';

type Entry = Readonly<Record<string, unknown>>;

export interface OwnStore {
  readonly id: string;
  readonly code: string;
}

const newCode = (): string => randomUUID().slice(0, 8).toUpperCase();
const newTag = (): string => `04${randomBytes(6).toString('hex')}`.toUpperCase();

/** Leaves out the slots and bookings of the demo's store. `more` replaces settings. */
export async function openStoreLike(like: keyof typeof stores, system: RunningSystem, more: Entry = {}): Promise<OwnStore> {
  const store = { id: randomUUID(), code: newCode() };
  await publishDirectory(system, contentLike(like, store, more));
  return store;
}

/** Where the directory service runs. Bo owns the store, and `cy` may work there. */
export async function openStoreOfBo(
  like: keyof typeof stores,
  system: RunningSystem,
  { cy, code = newCode() }: { readonly cy?: 'staff' | 'manager'; readonly code?: string } = {},
): Promise<OwnStore & { readonly merchant: string }> {
  const tokenFor = (...ids: readonly string[]) =>
    system.tokens.token({ typ: 'merchant', sub: people.bo.id, name: people.bo.name, stores: ids });
  const opened = { code, name: 'Opened', time_zone: 'Europe/London' };
  const { store } = await callApi(system, 'POST', '/directory/stores', await tokenFor(), opened);
  const merchant = await tokenFor(store.id);
  const { id, name } = people.cy;
  if (cy) await callApi(system, 'POST', `/directory/stores/${store.id}/staff`, merchant, { id, name, role: cy });
  await publishDirectory(system, contentLike(like, store));
  return { id: store.id, code: store.code, merchant };
}

export const withOwnPromos = (menu: Entry | undefined): Entry => ({
  ...menu,
  promos: ((menu?.promos ?? []) as readonly Entry[]).map((promo) => ({ ...promo, id: randomUUID() })),
});

function contentLike(like: keyof typeof stores, { id, code }: OwnStore, more: Entry = {}): object {
  const demo = demoDirectory(new Date()) as Readonly<Record<'stores' | 'menus' | 'programmes' | 'floors', readonly Entry[]>>;
  const of = (entries: readonly Entry[]) =>
    entries.filter(({ store_id }) => store_id === stores[like].id).map((entry): Entry => ({ ...entry, store_id: id }));
  const withOwnUnits = (floor: Entry) => ({
    ...floor,
    units: (floor.units as readonly Entry[]).map((unit) => ({ ...unit, id: randomUUID() })),
  });
  const withOwnPromos = (menu: Entry) => ({
    ...menu,
    promos: (menu.promos as readonly Entry[]).map((promo) => ({ ...promo, id: randomUUID() })),
  });
  return {
    stores: demo.stores.filter((store) => store.id === stores[like].id).map((store) => ({ ...store, id, code, ...more })),
    menus: of(demo.menus).map(withOwnPromos),
    programmes: of(demo.programmes).map((programme) => (programme.tags ? { ...programme, tags: [{ uid: newTag() }] } : programme)),
    floors: of(demo.floors).map(withOwnUnits),
  };
}

/** Waits until every service has processed the data. Imports it into the directory service if that runs. */
export async function publishDirectory({ natsUrl, services }: RunningSystem, content: object): Promise<void> {
  const connection = await connectNats(natsUrl, 'test');
  try {
    if (services.directory) await importDirectory(callerOf({ connection, namespace: '' }), content, { by: 'test' });
    else await applyDirectory(content, { connection });
  } finally {
    await connection.close();
  }
}
