import { Proof } from '@corner/console-api';
import { Day } from '@corner/contracts';
import { BookKeySet, proveDays, proveWebhooks, verdictOf } from '@corner/operator';
import { z } from 'zod';
import type { Api } from '../http/api.ts';
import { readText } from '../http/call-gateway.ts';
import { Id, manager, parsed } from '../http/guards.ts';

/** Each takes a request, of which a person may send 60 a minute. */
const mostDays = 31;
const Store = z.object({ store_id: Id });
const Range = z
  .object({ from: Day, to: Day })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'is before from' })
  .refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 < mostDays, {
    path: ['to'],
    message: `is more than ${mostDays} days after from: choose a shorter range`,
  });

/** Proves what `corner proof` proves by the token of the session: the webhooks of a store, and its closed days. */
export function addProof(api: Api, gatewayUrl: string, now: () => Date): void {
  api.get('/api/shop/:store_id/proof', manager, Proof, async ({ person: { token }, request }) => {
    const { store_id: storeId } = parsed(Store, request.params);
    const { from, to } = parsed(Range, request.query);
    const get = (path: string) => readText(`${gatewayUrl}${path}`, { token });
    const keys = BookKeySet.parse(JSON.parse(await get('/api/v1/orders/reports/keys')));
    const links = [...(await proveWebhooks(get, storeId)), await proveDays(get, { storeId, from, to }, keys, now())];
    return { at: now().toISOString(), state: verdictOf(links), links };
  });
}
