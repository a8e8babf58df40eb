import { type Break, refusedBetween, takenFromOutside } from './breaks.ts';
import type { Surface } from './surface.ts';

/** Returns why a version may not be deployed beside what runs; nothing when it may. `running` holds one surface for each service that runs. */
export function whyNotDeploy(candidate: Surface, running: readonly Surface[]): readonly Break[] {
  const found = running.flatMap((other) => [
    ...refusedBetween(candidate, other),
    ...refusedBetween(other, candidate),
    ...(other.service === candidate.service ? takenFromOutside(other, candidate) : []),
  ]);
  return [...new Set(found)].sort();
}
