import { type OutboxEntry, publishAll, type Transaction } from '@corner/chassis';
import { type ChangedBy, type DirectoryObject, type Imported, Problem, storeOfEntry } from '@corner/contracts';
import { priceFaults } from '../object/rules/prices.ts';
import { movesCalendar, snapshotEvent, snapshotFor } from '../object/transactions/change-object.ts';
import { decideImport, type ImportDecision, type ImportedEntry, type ImportStore } from './rules/import.ts';
import { type ImportedObject, readOfStores, saveImported, Unfit } from './tables/imported-objects.ts';
import { countEntries, lockImports, lockNamed, notePublished, type Part, readDifferences, readStaged } from './tables/imports.ts';
import { readPosition } from './tables/stream-position.ts';

export interface StagedImport {
  readonly importId: string;
  readonly parts: number;
  readonly by: ChangedBy;
}

export interface ImportRun {
  readonly result: Imported;
  /** The sentences of each part by its number; empty when the import had been made before. */
  readonly plans: ReadonlyMap<number, readonly string[]>;
}

/**
 * Makes all changes of a staged import: part by part, with a few statements for each, under the locks of all objects that it names. Throws
 * VALIDATION_FAILED, which names the faults; then nothing is changed.
 */
export async function importObjects(tx: Transaction, staged: StagedImport): Promise<ImportRun> {
  const { importId } = staged;
  const { parts, result: before } = await lockStaged(tx, staged);
  if (before) return { result: before, plans: new Map() };
  const stores: Stores = new Map();
  const totals = { added: 0, changed: 0, published: 0 };
  const plans = new Map<number, readonly string[]>();
  const moved = new Set<string>();
  const written = new Set<string>();
  for (const part of parts) {
    const entries = await readDifferences(tx, { importId, part });
    await learnStores(tx, stores, entries);
    const changes = entries.flatMap((entry) => changeOf(entry, stores));
    await write(tx, { importId, part }, changes, stores, staged.by);
    for (const { entry, decision } of changes) {
      if (entry.before === null) totals.added += 1;
      else if (decision.fields) totals.changed += 1;
      if (entry.kind === 'store' && movesCalendar(decision.fields ?? [])) moved.add(entry.id);
      if (entry.kind === 'slots' || entry.kind === 'floor') written.add(`${entry.kind} ${entry.id}`);
    }
    totals.published += changes.length;
    plans.set(
      part,
      changes.flatMap(({ decision }) => decision.sentences),
    );
  }
  totals.published += await republishFollowers(tx, { importId, part: parts[0] ?? 0 }, { moved, written, stores, by: staged.by });
  const unchanged = (await countEntries(tx, importId)) - totals.added - totals.changed;
  return { result: { ...totals, unchanged }, plans };
}

type Stores = Map<string, ImportStore>;

interface Change {
  readonly entry: ImportedEntry;
  readonly decision: ImportDecision;
}

async function lockStaged(tx: Transaction, { importId, parts }: StagedImport): Promise<Awaited<ReturnType<typeof readStaged>>> {
  if (!(await lockImports(tx)))
    throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'Another import is running. Repeat this one when it has ended.' });
  const staged = await readStaged(tx, importId);
  if (staged.result) return staged;
  if (staged.parts.length !== parts) throw refusal(`${staged.parts.length} of ${parts} parts of the import have arrived`);
  const fault = staged.takes_over ? null : ((await readPosition(tx))?.fault ?? null);
  if (fault !== null) throw refusal(fault);
  if (staged.twice !== null) throw refusal(`${staged.twice} is in the import twice`);
  await lockNamed(tx, importId);
  return staged;
}

const refusal = (message: string): Problem => new Problem('VALIDATION_FAILED', { message });

/** Stores of the import itself are known by its own entries, also in a dry run. */
async function learnStores(tx: Transaction, stores: Stores, entries: readonly ImportedEntry[]): Promise<void> {
  for (const { kind, id, data } of entries) if (kind === 'store') stores.set(id, data as ImportStore);
  const missing = [...new Set(entries.flatMap((entry) => storeOfEntry(entry) ?? []))].filter((id) => !stores.has(id));
  if (missing.length === 0) return;
  for (const { id, data } of await readOfStores(tx, 'store', missing)) stores.set(id, data as unknown as ImportStore);
}

function changeOf(entry: ImportedEntry, stores: Stores): Change[] {
  const storeId = storeOfEntry(entry);
  const store = stores.get(storeId ?? '') ?? null;
  // A take-over accepts every object that the stream holds.
  if (storeId !== null && !store && entry.above === null) throw refusal(`${entry.kind} ${entry.id}: there is no store ${storeId}`);
  const [fault] = store && entry.above === null ? priceFaults(entry.data, store.currency) : [];
  if (fault !== undefined) throw refusal(`${entry.kind} ${entry.id}: ${fault}`);
  const decision = decideImport(entry, store);
  return decision ? [{ entry, decision }] : [];
}

function writeOf(
  { entry, decision }: Change,
  stores: Stores,
  tx: Transaction,
): { readonly row: ImportedObject; readonly event: OutboxEntry } {
  const { kind, id, data } = entry;
  const { version, published, fields } = decision;
  const storeId = storeOfEntry(entry);
  const store = stores.get(storeId ?? '') ?? null;
  const { publishedUntil, ...snapshot } = snapshotFor(tx, entry, data, store);
  const row = {
    kind,
    id,
    version,
    published,
    data,
    fields,
    store_id: storeId,
    published_until: publishedUntil,
    starts_at: 'starts_at' in data ? data.starts_at : null,
    logged_at: 'stores' in data ? (data.stores[0]?.id ?? null) : storeId,
  };
  return { row, event: snapshotEvent({ kind, id, storeId }, published, snapshot) };
}

async function write(tx: Transaction, part: Part, changes: readonly Change[], stores: Stores, by: ChangedBy): Promise<void> {
  if (changes.length === 0) return;
  const written = changes.map((change) => writeOf(change, stores, tx));
  const rows = written.map(({ row }) => row);
  await saveImported(tx, rows, by, tx.now).catch((error: unknown) => {
    throw error instanceof Unfit ? refusal(error.message) : error;
  });
  await publishAll(
    tx,
    written.map(({ event }) => event),
  );
  await notePublished(tx, part, rows);
}

/**
 * Publishes slots and floors of stores whose time zone or closures the import has changed, unless it changed them too: their templates make
 * other times. Returns how many.
 */
async function republishFollowers(tx: Transaction, noted: Part, { moved, written, stores, by }: Moved): Promise<number> {
  let count = 0;
  for (const kind of ['slots', 'floor'] as const) {
    for (let from = 0; from < moved.size; from += followersAtOnce) {
      const ids = [...moved].slice(from, from + followersAtOnce).filter((id) => !written.has(`${kind} ${id}`));
      const kept = await readOfStores(tx, kind, ids);
      const changes = kept.map(({ id, data, version, published }): Change => {
        const entry = { kind, id, data: data as DirectoryObject, above: null, version, published, before: data as DirectoryObject };
        return { entry, decision: { version, published: published + 1, fields: null, sentences: [] } };
      });
      await write(tx, noted, changes, stores, by);
      count += changes.length;
    }
  }
  return count;
}

interface Moved {
  readonly moved: ReadonlySet<string>;
  readonly written: ReadonlySet<string>;
  readonly stores: Stores;
  readonly by: ChangedBy;
}

const followersAtOnce = 50;
