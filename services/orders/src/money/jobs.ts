import { findCursor, moveCursor } from '../provider/tables.ts';
import type { MoneyContext } from './context.ts';
import { namedFees, unmatched } from './rules.ts';
import { compareEntries, compareMovements } from './sagas.ts';
import { findEntered, findEnteredBetween, findOpenDifferences, markExplained, writeProviderFees } from './tables.ts';

const hour = 3_600_000;

/**
 * Younger movements are left to their events. Readings overlap, since the provider may list a movement late, and a long outage is read in
 * parts, oldest first, so that a restart continues where it ended.
 */
const graceMs = hour / 4;
const overlapMs = hour / 6;
const firstMs = 72 * hour;
const partMs = 24 * hour;

/**
 * Compares the ledger with the movements of the provider's balance since the last comparison, and open differences with the current state
 * of both. Records the provider's fee of each charge. Safe to run twice at once: a difference is recorded once, and the cursor only moves
 * forward.
 */
export async function compareLedger(context: MoneyContext): Promise<void> {
  const { database, balance, now } = context;
  await recheckDifferences(context);
  const until = now().getTime() - graceMs;
  let from = (await findCursor(database, 'movements'))?.getTime() ?? until - firstMs;
  while (from < until) {
    const [start, end] = [new Date(from - overlapMs), new Date(Math.min(from + partMs, until))];
    const movements = await balance.movements(start, end);
    await compareMovements(context, movements);
    await writeProviderFees(database, namedFees(movements));
    await compareEntries(context, await findEnteredBetween(database, new Date(from), end, context.mode), movements);
    await database.transaction((tx) => moveCursor(tx, 'movements', end));
    from = end.getTime();
  }
}

async function recheckDifferences({ database, balance, now }: MoneyContext): Promise<void> {
  for (const open of await findOpenDifferences(database)) {
    const atProvider = (await balance.movementsOf(open.provider_ref)).filter(({ kind }) => kind === open.kind);
    const entered = (await findEntered(database, [open.provider_ref])).filter(({ kind }) => kind === open.kind);
    const agree = atProvider.length === entered.length && unmatched(atProvider, entered).length === 0;
    if (agree) await markExplained(database, open, now());
  }
}
