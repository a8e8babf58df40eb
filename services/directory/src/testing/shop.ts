import { randomUUID } from 'node:crypto';
import type { ObjectKind, Role } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Running } from './running.ts';

export interface ApiResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a body of its own
  readonly body: any;
  readonly etag: string | null;
}

const Published = z.object({ type: z.string(), aggregate_id: z.string(), sequence: z.number(), data: z.any() });
const Logged = z.object({
  store_id: z.string().nullable(),
  kind: z.string(),
  version: z.number(),
  by_id: z.string(),
  by_name: z.string().nullable(),
  fields: z.any(),
});

/**
 * A store that its owner has created, and the requests that tests send. Without a role the caller is the owner, Bo; each role has a person
 * of its own. A path is one under the store, `/menu`, or from the root of the API where it begins with `//`. A change names the current
 * version, unless `match` names another; null sends no If-Match.
 */
export interface Shop {
  readonly storeId: string;
  readonly ownerId: string;
  token(role: Role): Promise<string>;
  get(path: string, options?: Sent): Promise<ApiResponse>;
  patch(path: string, body: object, options?: Sent): Promise<ApiResponse>;
  post(path: string, body: object, options?: Sent): Promise<ApiResponse>;
  snapshots(kind: ObjectKind, id?: string): Promise<readonly z.output<typeof Published>[]>;
  changes(kind: ObjectKind, id?: string): Promise<readonly z.output<typeof Logged>[]>;
}

export interface Sent {
  readonly role?: Role;
  readonly token?: string;
  readonly match?: string | number | null;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function openShop(running: Running, settings: object = {}): Promise<Shop> {
  const people = { owner: randomUUID(), manager: randomUUID(), staff: randomUUID() };
  const names = { owner: 'Bo', manager: 'Fay', staff: 'Cy' };
  let storeId = '';
  const token = (role: Role) =>
    running.issuer.token({ typ: 'merchant', sub: people[role], name: names[role], stores: storeId === '' ? [] : [{ id: storeId, role }] });

  const send = async (method: string, path: string, body: object | undefined, sent: Sent): Promise<ApiResponse> => {
    const { role = 'owner', match, key, headers = {} } = sent;
    const url = path.startsWith('//') ? path.slice(1) : `/stores/${storeId}${path}`;
    const matches = method !== 'PATCH' || match === null ? {} : { 'if-match': match === undefined || match === '*' ? '*' : `"${match}"` };
    const response = await fetch(`${running.service.url}/api/v1/directory${url}`, {
      method,
      headers: {
        authorization: `Bearer ${sent.token ?? (await token(role))}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
        ...matches,
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text), etag: response.headers.get('etag') };
  };

  const code = randomUUID().slice(0, 8);
  const created = await send('POST', '//stores', { code, name: 'Corner Coffee', status: 'live', ...settings }, {});
  if (created.status !== 200) throw new Error(`no store: ${JSON.stringify(created.body)}`);
  storeId = created.body.store.id;
  return {
    storeId,
    ownerId: people.owner,
    token,
    get: (path, sent = {}) => send('GET', path, undefined, sent),
    patch: (path, body, sent = {}) => send('PATCH', path, body, sent),
    post: (path, body, sent = {}) => send('POST', path, body, sent),
    snapshots: (kind, id = storeId) =>
      running.service.database.any(sql.type(Published)`
        select type, aggregate_id, aggregate_sequence as sequence, data from outbox where type = ${kind} and aggregate_id = ${id} order by id`),
    changes: (kind, id = storeId) =>
      running.service.database.any(sql.type(Logged)`
        select store_id, kind, version, by_id, by_name, fields from change where kind = ${kind} and object_id = ${id} order by id`),
  };
}

export const refusal = ({ status, body }: ApiResponse): readonly [number, string | undefined] => [status, body?.error?.code];
