import { derivedUuid, type OutboxEntry, outboxEntry, type Transaction } from '@corner/chassis';
import { type ChangedBy, type ChangedField, type DirectoryObject, type ObjectKind, Problem, snapshotOfKind } from '@corner/contracts';
import { changedFields } from '../rules/changed-fields.ts';
import { blankOf, parseObject, type Snapshot, snapshotOf } from '../rules/objects.ts';
import { priceFaults } from '../rules/prices.ts';
import { lockObject, type ObjectPlace, saveObject, saveSnapshot } from '../tables.ts';

/**
 * `at`: the store of the request, whose log shows the change; it is locked first. Null when customers change their own data.
 * `expected`: the version that the change is made to; null for any.
 * `requestId`: the request by its Idempotency-Key; null without one.
 * `change` returns the object after the change. Its argument is null for an object that does not exist, unless the kind has a blank.
 * `creates`: the id derives from the request, so an existing object was made by an earlier try.
 */
export interface ObjectChange<K extends ObjectKind> extends ObjectPlace<K> {
  readonly at: string | null;
  readonly expected: number | null;
  readonly requestId: string | null;
  readonly by: ChangedBy;
  change(object: DirectoryObject<K> | null): DirectoryObject<K>;
  readonly creates?: true;
}

export interface Versioned<K extends ObjectKind> {
  readonly version: number;
  readonly data: DirectoryObject<K>;
}

/**
 * Changes one object of the directory: locks it, compares its version, writes it with a row of the log, and publishes its snapshot. A change
 * that changes nothing writes nothing. Throws STORE_NOT_FOUND, VERSION_CONFLICT, VALIDATION_FAILED, STORE_CODE_TAKEN and TAG_TAKEN.
 */
export async function changeObject<K extends ObjectKind>(tx: Transaction, wanted: ObjectChange<K>): Promise<Versioned<K>> {
  const { kind, id, by, at: loggedAt, requestId } = wanted;
  const store = loggedAt === null ? null : await lockStore(tx, loggedAt, wanted);
  const row = await lockObject(tx, wanted);
  if (row && requestId !== null && (row.last_request === requestId || wanted.creates)) return row;
  const version = row?.version ?? 0;
  if (wanted.expected !== null && wanted.expected !== version) throw conflict(version);
  const before = row?.data ?? null;
  const data = parseObject(kind, wanted.change(before ?? blankOf(kind, id)), before);
  const fields = changedFields(kind, before ?? blankOf(kind, id), data);
  if (row && fields.length === 0) return row;
  if (store) refusePrices(priceFaults(data, store.currency));
  if (kind === 'store' && before && fields.some(({ field }) => field === 'currency'))
    await checkCurrency(tx, data as DirectoryObject<'store'>);
  const next = { version: version + 1, published: (row?.published ?? 0) + 1 };
  const { publishedUntil, ...snapshot } = snapshotFor(tx, wanted, data, store);
  const event = snapshotEvent(wanted, next.published, snapshot);
  const place = { kind, id, storeId: wanted.storeId };
  const outcome = await saveObject(tx, { ...place, ...next, data, publishedUntil, requestId, loggedAt, by, fields }, event);
  if (outcome === 'code-taken') throw new Problem('STORE_CODE_TAKEN');
  if (outcome === 'tag-taken') throw new Problem('TAG_TAKEN');
  if (outcome === 'too-large') throw tooLarge();
  if (typeof outcome === 'object')
    throw new Problem('VALIDATION_FAILED', { message: `${outcome.list}.${outcome.taken}.id: another store has this id; choose another` });
  // Another transaction created the object between the read and the write, which waited for it: now there is a row to lock.
  if (outcome === 'lost') return await changeObject(tx, wanted);
  if (kind === 'store' && before && movesCalendar(fields)) await moveCalendar(tx, data as DirectoryObject<'store'>);
  return { version: next.version, data };
}

async function lockStore(tx: Transaction, storeId: string, { kind, creates }: Pick<ObjectChange<ObjectKind>, 'kind' | 'creates'>) {
  const row = await lockObject(tx, { kind: 'store', id: storeId, storeId });
  if (!row && !(kind === 'store' && creates)) throw new Problem('STORE_NOT_FOUND');
  return row?.data ?? null;
}

async function checkCurrency(tx: Transaction, { id, currency }: DirectoryObject<'store'>): Promise<void> {
  for (const kind of ['menu', 'programme'] as const) {
    const row = await lockObject(tx, { kind, id, storeId: id });
    refusePrices(row ? priceFaults(row.data, currency).map((fault) => `currency: ${kind}.${fault}`) : []);
  }
}

function refusePrices(faults: readonly string[]): void {
  if (faults.length > 0) throw new Problem('VALIDATION_FAILED', { message: faults.slice(0, 10).join('; ') });
}

export const movesCalendar = (fields: readonly ChangedField[]): boolean =>
  fields.some(({ field }) => field === 'time_zone' || field === 'closures');

async function moveCalendar(tx: Transaction, store: DirectoryObject<'store'>): Promise<void> {
  for (const kind of ['slots', 'floor'] as const) await publishAgain(tx, { kind, id: store.id, storeId: store.id }, store);
}

/** Publishes an object as it is, after time or its store has changed its snapshot. Does nothing for one that does not exist. */
export async function publishAgain(tx: Transaction, place: ObjectPlace, store: DirectoryObject<'store'>): Promise<void> {
  const row = await lockObject(tx, place);
  if (!row) return;
  const { publishedUntil, ...snapshot } = snapshotFor(tx, place, row.data, store);
  const published = row.published + 1;
  await saveSnapshot(tx, { ...place, published, publishedUntil }, snapshotEvent(place, published, snapshot));
}

/** Bytes of a snapshot, at most: it travels in one message of a megabyte, with its envelope. */
const largestSnapshot = 900_000;

export const snapshotFor = (
  tx: Transaction,
  { kind }: Pick<ObjectPlace, 'kind'>,
  data: DirectoryObject,
  store: Pick<DirectoryObject<'store'>, 'time_zone' | 'closures'> | null,
): Snapshot => snapshotOf(kind, data, { store, now: tx.now, slotIdOf });

export const slotIdOf = (storeId: string, startsAt: string): string => derivedUuid(`slot:${storeId}:${startsAt}`);

export function snapshotEvent({ kind, id, storeId }: ObjectPlace, version: number, { data }: Pick<Snapshot, 'data'>): OutboxEntry {
  if (Buffer.byteLength(JSON.stringify(data)) > largestSnapshot) throw tooLarge();
  return outboxEntry(snapshotOfKind[kind], {
    aggregateId: id,
    sequence: version,
    storeId: storeId ?? undefined,
    customerId: kind === 'customer' ? id : undefined,
    data: { ...data, version },
  });
}

const tooLarge = (): Problem =>
  new Problem('VALIDATION_FAILED', { message: 'The object would be too large to be published; use shorter texts or fewer entries.' });

const conflict = (version: number): Problem =>
  new Problem('VERSION_CONFLICT', {
    message: `The object has version ${version} by now. Read it again and make the change to that version.`,
  });
