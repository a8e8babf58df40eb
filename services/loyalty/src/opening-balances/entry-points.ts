import { handleRpc } from '@corner/chassis';
import { importStamps as importStampsRpc } from '@corner/contracts';
import type { Context } from '../context.ts';
import { importLines } from './transactions.ts';

/** Imports a page of lines, all or none, in one transaction. A dry run rolls the transaction back and returns its result. */
export const handleImportStamps = handleRpc(importStampsRpc, async ({ lines, by, dry_run }, { database }: Context) => {
  const operator = { id: `operator:${by}`, name: by };
  let done: Awaited<ReturnType<typeof importLines>> = { faults: [], lines: [] };
  try {
    await database.transaction(async (tx) => {
      done = await importLines(tx, lines, operator);
      if (dry_run || done.faults.length > 0) throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
  return done;
});

class TakenBack extends Error {}
