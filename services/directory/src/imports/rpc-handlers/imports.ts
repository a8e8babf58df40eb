import { handleRpc } from '@corner/chassis';
import { consumersOfDirectory, Problem, processedBy, readImportPlan, readImportProgress, runImport, stageImport } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { parseEntry } from '../rules/import.ts';
import { lookAtStream, whyNotOnlyProducer } from '../sagas.ts';
import { readPlan, readPublished, recordImport, savePart, savePlans } from '../tables/imports.ts';
import { type ImportRun, importObjects } from '../transactions.ts';

export const handleStageImport = handleRpc(stageImport, async ({ import_id, part, entries }, { database, now }: Context) => {
  const parsed = entries.map(parseEntry);
  const faults = parsed.filter((entry) => typeof entry === 'string');
  if (faults.length > 0) throw new Problem('VALIDATION_FAILED', { message: faults.slice(0, 10).join('\n') });
  await savePart(
    database,
    { importId: import_id, part },
    parsed.filter((entry) => typeof entry !== 'string'),
    now(),
  );
  return {};
});

class DryRun extends Error {
  readonly run: ImportRun;
  constructor(run: ImportRun) {
    super('a dry run');
    this.run = run;
  }
}

export const handleRunImport = handleRpc(runImport, async ({ import_id: importId, parts, dry_run, by }, context: Context) => {
  const { database } = context;
  const staged = { importId, parts, by: { id: `operator:${by}`, name: by } };
  try {
    const { result } = await database.transaction(async (tx) => {
      const run = await importObjects(tx, staged);
      if (dry_run) throw new DryRun(run);
      if (run.plans.size > 0) {
        await savePlans(tx, importId, run.plans);
        await recordImport(tx, importId, run.result);
      }
      return run;
    });
    // After a take-over the service is ready at once, not only at its next look.
    if (await whyNotOnlyProducer(context)) await lookAtStream(context);
    return result;
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
    await savePlans(database, importId, error.run.plans);
    return error.run.result;
  }
});

/** Characters of sentences in one reply: well below the megabyte that a message of NATS may have. */
const pageCharacters = 300_000;

export const handleReadImportPlan = handleRpc(readImportPlan, async ({ import_id: importId, after }, { database }: Context) => {
  const found = await readPlan(database, { importId, part: after?.part ?? 0 });
  if (!found) return { sentences: [], next: null };
  const from = found.part === after?.part ? after.sentence : 0;
  let [to, characters] = [from, 0];
  while (to < found.plan.length && characters < pageCharacters) {
    characters += found.plan[to]?.length ?? 0;
    to += 1;
  }
  const next = to < found.plan.length ? { part: found.part, sentence: to } : { part: found.part + 1, sentence: 0 };
  return { sentences: found.plan.slice(from, to), next };
});

const idsAtOnce = 1_000;

export const handleReadImportProgress = handleRpc(readImportProgress, async ({ import_id }, { database, call }: Context) => {
  const ids = await readPublished(database, import_id);
  const states = await Promise.all(
    consumersOfDirectory.map(async (service) => {
      let [dead, from] = [0, 0];
      try {
        for (; from < ids.length; from += idsAtOnce) {
          const page = ids.slice(from, from + idsAtOnce);
          const { processed, dead_lettered } = await call(processedBy(service), { event_ids: page });
          dead += dead_lettered.length;
          const open = page.length - processed.length - dead_lettered.length;
          if (open > 0) return { service, dead, open: open + Math.max(ids.length - from - idsAtOnce, 0) };
        }
        return { service, dead, open: 0 };
      } catch {
        return { service, dead, open: null };
      }
    }),
  );
  return {
    waiting: states.filter(({ open }) => open !== 0).map(({ service, open }) => ({ service, snapshots: open })),
    dead_lettered: states.filter(({ dead }) => dead > 0).map(({ service, dead }) => ({ service, snapshots: dead })),
  };
});
