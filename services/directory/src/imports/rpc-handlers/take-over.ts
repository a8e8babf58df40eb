import { handleRpc } from '@corner/chassis';
import { objectKinds, Problem, takeOverStream } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { parseEntry } from '../rules/import.ts';
import { entryOfSnapshot } from '../rules/producers.ts';
import { readForeign } from '../sagas.ts';
import { savePart } from '../tables/imports.ts';

/** More than there are parts. */
const partsOfKind = 100_000;

export const handleTakeOver = handleRpc(takeOverStream, async ({ import_id: importId }, context: Context) => {
  const faults: string[] = [];
  let parts = 0;
  const read = await readForeign(context, 1, async (snapshots) => {
    for (const [place, kind] of objectKinds.entries()) {
      const entries = snapshots.flatMap((snapshot) => {
        const entry = snapshot.kind === kind ? parseEntry(entryOfSnapshot(snapshot)) : [];
        if (typeof entry !== 'string') return 'data' in entry ? [{ ...entry, above: snapshot.version }] : [];
        faults.push(entry);
        return [];
      });
      if (entries.length === 0) continue;
      // In the order of kinds, so that a store is known before what belongs to it.
      const part = place * partsOfKind + parts;
      parts += 1;
      await savePart(context.database, { importId, part }, entries, context.now());
    }
  });
  if (read === null) throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'NATS cannot be reached.' });
  if (faults.length > 0) throw new Problem('VALIDATION_FAILED', { message: faults.slice(0, 10).join('\n') });
  return { parts };
});
