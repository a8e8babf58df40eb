import type { Day, NamedStep } from './world/steps.ts';

/** Leaves out the end, then rounds, then steps, while `goesOn` allows. Returns the shortest day that failed, or the given one. */
export async function shorten(day: Day, fails: (shorter: Day) => Promise<boolean>, goesOn: () => boolean = () => true): Promise<Day> {
  const stillFails = async (shorter: Day) => shorter.length > 0 && goesOn() && (await fails(shorter));
  const beginning = await shortestBeginning(day, stillFails);
  const rounds = await without(beginning, (left) => left, stillFails);
  const steps = rounds.flatMap((round, at) => round.map((one): Placed => ({ at, one })));
  return byRound(await without(steps, byRound, stillFails));
}

interface Placed {
  readonly at: number;
  readonly one: NamedStep;
}

const byRound = (steps: readonly Placed[]): Day =>
  [...Map.groupBy(steps, ({ at }) => at).values()].map((round) => round.map(({ one }) => one));

async function shortestBeginning(day: Day, fails: (shorter: Day) => Promise<boolean>): Promise<Day> {
  let [passing, failing] = [0, day.length];
  while (failing - passing > 1) {
    const middle = Math.floor((passing + failing) / 2);
    if (await fails(day.slice(0, middle))) failing = middle;
    else passing = middle;
  }
  return day.slice(0, failing);
}

async function without<T>(parts: readonly T[], dayOf: (parts: readonly T[]) => Day, fails: (shorter: Day) => Promise<boolean>) {
  let needed = parts;
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const fewer = needed.toSpliced(at, 1);
    if (await fails(dayOf(fewer))) needed = fewer;
  }
  return needed;
}
