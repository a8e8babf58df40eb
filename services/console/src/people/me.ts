import { Me } from '@corner/console-api';
import { type Api, anyone } from '../http/api.ts';
import { mayChange } from '../http/guards.ts';
import type { Person } from '../sessions/person.ts';
import type { Named, StoreNames } from './store-names.ts';

export function addMe(api: Api, { storeNames, exchanges, directory, shopUrl, development }: MeOptions): void {
  const storesOf = async ({ stores, token }: Person) => {
    const own = exchanges ? await storeNames.ofCaller(token) : new Map<string, Named>();
    return await Promise.all([...stores].map(async ([id, role]) => ({ id, role, ...(own.get(id) ?? (await storeNames.of(id))) })));
  };
  api.get('/api/me', anyone, Me, async ({ person }) => ({
    subject: person.subject,
    name: person.displayName,
    kind: person.kind,
    permissions: [...person.permissions],
    stores: await storesOf(person),
    opens_shops: exchanges && person.kind === 'merchant',
    directory,
    shop_url: shopUrl,
    expires_at: person.endsAt.toISOString(),
    development: development && mayChange(person),
  }));
}

interface MeOptions {
  readonly storeNames: StoreNames;
  readonly exchanges: boolean;
  readonly directory: boolean;
  readonly shopUrl: string | null;
  readonly development: boolean;
}
