import { randomUUID } from 'node:crypto';
import {
  DirectoryFile,
  entriesInFile,
  exportDirectory,
  type Imported,
  listOfKind,
  type objectKinds,
  readImportPlan,
  runImport,
  stageImport,
} from '@corner/contracts';
import type { Running } from './running.ts';

export const entriesOf = (content: unknown) => entriesInFile(DirectoryFile.parse(content));

interface Made {
  readonly output?: Imported | Record<string, never>;
  readonly problem?: string;
  readonly message?: string;
  readonly plan: readonly string[];
}

export async function importFile({ call }: Running, content: unknown, { dry = false, size = 4 } = {}): Promise<Made> {
  const import_id = randomUUID();
  const entries = entriesOf(content);
  let parts = 0;
  for (let from = 0; from < entries.length; from += size) {
    const { problem, ...rest } = await call(stageImport, {
      import_id,
      part: parts,
      entries: entries.slice(from, from + size),
      by: 'tester',
    });
    if (problem) return { problem, ...rest, plan: [] };
    parts += 1;
  }
  return { ...(await call(runImport, { import_id, parts, dry_run: dry, by: 'tester' })), plan: await planOf({ call }, import_id) };
}

export async function planOf({ call }: Pick<Running, 'call'>, import_id: string): Promise<string[]> {
  const plan: string[] = [];
  for (let after: { part: number; sentence: number } | null | undefined; after !== null; ) {
    const { output } = await call(readImportPlan, { import_id, by: 'tester', ...(after ? { after } : {}) });
    plan.push(...(output?.sentences ?? []));
    after = output?.next ?? null;
  }
  return plan;
}

export async function exportFile({ call }: Running): Promise<Record<string, unknown[]>> {
  const file: Record<string, unknown[]> = Object.fromEntries(Object.values(listOfKind).map((list) => [list, []]));
  for (let after: { kind: (typeof objectKinds)[number]; id: string } | null | undefined; after !== null; ) {
    const { output } = await call(exportDirectory, { by: 'tester', ...(after ? { after } : {}) });
    for (const { kind, data } of output?.entries ?? []) file[listOfKind[kind]]?.push(data);
    after = output?.next ?? null;
  }
  return file;
}
