import type { RunningSystem } from '@corner/sandbox/system';
import { Books, type Breach, findBreaches, type History } from '@corner/simulation';

export const readBooks = async (system: RunningSystem): Promise<Books> =>
  Books.parse(await (await fetch(`${system.paymentsUrl}/_sim/books`)).json());

/** Ends after three minutes, since effects may still be under way. Returns the last breaches, without those of `waiting` invariants. */
export async function checkAtRest(system: RunningSystem, history: History, waiting: readonly string[] = []): Promise<Breach[]> {
  const until = performance.now() + 180_000;
  for (;;) {
    const all = await findBreaches(system.databaseUrl, await readBooks(system), history);
    const found = all.filter(({ invariant }) => !waiting.includes(invariant));
    if (found.length === 0 || performance.now() > until) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
