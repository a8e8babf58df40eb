import { isDeepStrictEqual } from 'node:util';
import { type DirectoryObject, objectKinds } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { snapshotOf } from '../../object/rules/objects.ts';
import { slotIdOf } from '../../object/transactions/change-object.ts';
import type { Running } from '../running.ts';
import type { Shop } from '../shop.ts';
import { keyOfObject, readable, type Shops } from './shops.ts';

/** `logged`: versions of the rows of its log. `sequences`: those of its snapshots. Both in their order. */
const Row = z.object({
  kind: z.enum(objectKinds),
  id: z.string(),
  version: z.number(),
  published: z.number(),
  data: z.custom<DirectoryObject>(),
  logged: z.array(z.number()),
  sequences: z.array(z.number()),
  snapshot: z.any(),
});
type Row = z.output<typeof Row>;

/** Returns, in words, every violated invariant. No request may be running meanwhile. */
export async function violatedInvariants(running: Running, { shops, shown, violations, customers }: Shops): Promise<readonly string[]> {
  const stores = shops.map(({ storeId }) => storeId);
  const rows = await running.service.database.any(sql.type(Row)`
    select kind, id, version, published, data,
      array(select c.version from change c where c.kind = o.kind and c.object_id = o.id order by c.id) as logged,
      array(select aggregate_sequence from outbox e where e.type = o.kind and e.aggregate_id = o.id::text order by e.id) as sequences,
      (select data from outbox e where e.type = o.kind and e.aggregate_id = o.id::text order by e.id desc limit 1) as snapshot
    from object o where store_id = any(${sql.array(stores, 'uuid')}) or kind in ('staff', 'customer')`);
  const now = running.clock.now();
  return [
    ...violations,
    ...(await customers.violations()),
    ...rows.flatMap((row) =>
      [...faultsInHistory(row), ...faultsInSnapshot(row, rows, now)].map((fault) => `${row.kind} ${row.id}: ${fault}`),
    ),
    ...(await Promise.all(shops.map((shop, index) => faultsInReads(shop, index, rows, shown)))).flat(),
    ...(await faultsInPrices(running, rows)),
  ];
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** Each edit has one row of the log, and each publication one snapshot, numbered without gaps. */
const faultsInHistory = ({ version, published, logged, sequences }: Row): string[] => [
  ...(isDeepStrictEqual(logged, upTo(version)) ? [] : [`version ${version}, and rows of the log ${logged.join(', ')}`]),
  ...(isDeepStrictEqual(sequences, upTo(published)) ? [] : [`published ${published} times, and snapshots ${sequences.join(', ')}`]),
];

/** The newest snapshot agrees with the object as it is now; it may still have slots and shifts that are over. */
function faultsInSnapshot({ kind, id, published, data, snapshot }: Row, rows: readonly Row[], now: Date): string[] {
  const store = rows.find((row) => row.kind === 'store' && row.id === id)?.data as DirectoryObject<'store'> | undefined;
  const { data: expected } = snapshotOf(kind, data, { store: store ?? null, now, slotIdOf });
  const [said, says] = [snapshot, { ...expected, version: published }].map((one) => withoutPast(plain(one), now));
  return isDeepStrictEqual(said, says) ? [] : [`published ${JSON.stringify(said)} instead of ${JSON.stringify(says)}`];
}

const plain = (value: unknown): Record<string, unknown> => JSON.parse(JSON.stringify(value));

function withoutPast(value: unknown, now: Date): unknown {
  if (Array.isArray(value))
    return value.filter((entry) => !(Date.parse(entry?.ends_at) <= now.getTime())).map((entry) => withoutPast(entry, now));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutPast(inner, now)]));
}

/** A read returns the object as it is kept; no reply has shown a later state of it, or the same version with another content. */
async function faultsInReads(shop: Shop, index: number, rows: readonly Row[], shown: Shops['shown']): Promise<string[]> {
  const faults = await Promise.all(
    Object.entries(readable).map(async ([kind, path]) => {
      const { body } = await shop.get(path);
      const row = rows.find((one) => one.kind === kind && one.id === shop.storeId);
      const last = shown.get(keyOfObject(index, { kind: kind as keyof typeof readable, path }));
      return [
        ...(row && (row.version !== body.version || !isDeepStrictEqual(plain(row.data), body[kind]))
          ? [`${kind} is read as ${JSON.stringify(body)}`]
          : []),
        ...(last && last.version > body.version ? [`${kind} was version ${last.version}, and is ${body.version}`] : []),
        ...(last && last.version === body.version && !isDeepStrictEqual(last.content, body[kind])
          ? [`${kind} has changed without a version`]
          : []),
      ];
    }),
  );
  return faults.flat();
}

const Logged = z.object({ object_id: z.string(), fields: z.array(z.object({ field: z.string(), to: z.string().nullable() })) });

async function faultsInPrices({ service }: Running, rows: readonly Row[]): Promise<string[]> {
  const menus = rows.filter(({ kind }) => kind === 'menu');
  const log = await service.database.any(sql.type(Logged)`
    select object_id, fields from change where kind = 'menu' and object_id = any(${sql.array(
      menus.map(({ id }) => id),
      'uuid',
    )}) order by id`);
  return menus.flatMap(({ id, data }) => {
    const logged = new Map<string, number>();
    for (const { field, to } of log.filter(({ object_id }) => object_id === id).flatMap(({ fields }) => fields)) {
      const [list, item = '', name] = field.split('.');
      if (list !== 'items' || item === 'order') continue;
      if (name === undefined && to === null) logged.delete(item);
      else if (name === undefined) logged.set(item, JSON.parse(to ?? '').price_pence);
      else if (name === 'price_pence') logged.set(item, Number(to));
    }
    const kept = new Map((data as DirectoryObject<'menu'>).items.map((item) => [item.id, item.price_pence]));
    const same = kept.size === logged.size && [...kept].every(([item, price]) => logged.get(item) === price);
    return same ? [] : [`the log of the menu ${id} gives ${JSON.stringify([...logged])}, and its prices are ${JSON.stringify([...kept])}`];
  });
}
