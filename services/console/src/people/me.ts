import { Me } from '@corner/console-api';
import { type Api, anyone } from '../http/api.ts';
import type { StoreNames } from './store-names.ts';

/** Adds `GET /api/me`: who is signed in, and what they may do. */
export function addMe(api: Api, { storeNames, development }: { readonly storeNames: StoreNames; readonly development: boolean }): void {
  api.get('/api/me', anyone, Me, async ({ person }) => ({
    subject: person.subject,
    name: person.displayName,
    kind: person.kind,
    permissions: [...person.permissions],
    stores: await Promise.all([...person.stores].map(async ([id, role]) => ({ id, role, ...(await storeNames.of(id)) }))),
    expires_at: person.endsAt.toISOString(),
    development,
  }));
}
