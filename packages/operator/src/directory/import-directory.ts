import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type DirectoryEntry,
  DirectoryFile,
  entriesInFile,
  exportDirectory,
  type Imported,
  listOfKind,
  type RpcCallInput,
  type RpcOutput,
  readImportPlan,
  readImportProgress,
  runImport,
  stageImport,
  takeOverStream,
} from '@corner/contracts';
import type { Caller } from '../call-service.ts';
import { DirectoryFaults, parseDirectory } from './parse-directory.ts';

export interface ImportOptions {
  readonly by: string;
  readonly dryRun?: boolean;
  readonly withinMs?: number;
}

export interface ImportReport extends Imported {
  readonly plan: readonly string[];
}

/** The most bytes of a part: well below the megabyte that NATS allows for a message. */
const partBytes = 250_000;
const mostBytes = 500_000;

/**
 * Imports directory data: all changes or none; a repetition changes nothing. Resolves once every service has processed the snapshots;
 * rejects after `withinMs` with those that lag. With `dryRun` only lists the changes. A faulty file throws {@link DirectoryFaults}.
 */
export async function importDirectory(call: Caller, content: unknown, options: ImportOptions): Promise<ImportReport> {
  const file = parseDirectory(content);
  const importId = randomUUID();
  let parts = 0;
  for (const entries of partsOf(file)) {
    await call(stageImport, { import_id: importId, part: parts, entries, by: options.by });
    parts += 1;
  }
  return await runStaged(call, importId, parts, options);
}

/** Imports the snapshots in the stream that the directory service has not published: all of them or none. Resolves as an import does. */
export async function takeOverDirectory(call: Caller, options: ImportOptions): Promise<ImportReport> {
  const importId = randomUUID();
  const { parts } = await call(takeOverStream, { import_id: importId, by: options.by });
  return await runStaged(call, importId, parts, options);
}

export async function readDirectory(call: Caller, named: RpcCallInput<typeof exportDirectory>): Promise<DirectoryFile> {
  const lists: Record<string, unknown[]> = Object.fromEntries(Object.values(listOfKind).map((list) => [list, []]));
  let after: RpcOutput<typeof exportDirectory>['next'] = null;
  do {
    const page: RpcOutput<typeof exportDirectory> = await call(exportDirectory, { ...named, ...(after ? { after } : {}) });
    for (const { kind, data } of page.entries) lists[listOfKind[kind]]?.push(data);
    after = page.next;
  } while (after);
  return DirectoryFile.parse(lists);
}

async function runStaged(call: Caller, importId: string, parts: number, options: ImportOptions): Promise<ImportReport> {
  const { by, dryRun = false, withinMs = 60_000 } = options;
  if (parts === 0) return { added: 0, changed: 0, unchanged: 0, published: 0, plan: [] };
  const imported = await call(runImport, { import_id: importId, parts, dry_run: dryRun, by });
  const plan: string[] = [];
  let after: RpcOutput<typeof readImportPlan>['next'] = null;
  do {
    const page: RpcOutput<typeof readImportPlan> = await call(readImportPlan, { import_id: importId, by, ...(after ? { after } : {}) });
    plan.push(...page.sentences);
    after = page.next;
  } while (after);
  if (!dryRun && imported.published > 0) await untilProcessed(call, importId, by, withinMs);
  return { ...imported, plan };
}

function* partsOf(file: DirectoryFile): Generator<DirectoryEntry[]> {
  let part: DirectoryEntry[] = [];
  let bytes = 0;
  for (const entry of entriesInFile(file)) {
    const size = Buffer.byteLength(JSON.stringify(entry.data));
    if (size > mostBytes)
      throw new DirectoryFaults([`${entry.kind} ${entry.id}: is larger than an object may be, ${mostBytes / 1_000} kB`]);
    if (part.length > 0 && bytes + size > partBytes) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(entry);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

const againMs = 100;

async function untilProcessed(call: Caller, importId: string, by: string, withinMs: number): Promise<void> {
  for (const deadline = performance.now() + withinMs; ; await pause(againMs)) {
    const { waiting, dead_lettered } = await call(readImportProgress, { import_id: importId, by });
    if (dead_lettered.length > 0)
      throw new Error(
        dead_lettered.map(({ service, snapshots }) => `${service} could not take in ${snapshots} snapshots and set them aside`).join('\n'),
      );
    if (waiting.length === 0) return;
    if (performance.now() < deadline) continue;
    const lag = ({ service, snapshots }: (typeof waiting)[number]) =>
      snapshots === null ? `${service} does not answer` : `${service} has not taken in ${snapshots} snapshots`;
    throw new Error(`the import was made, but after ${withinMs / 1000} s ${waiting.map(lag).join(', ')}`);
  }
}
