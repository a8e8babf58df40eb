import type { Deprecated } from '@corner/contracts';

export type Deprecations = Readonly<Record<string, Deprecated>>;

/** A removal is allowed after the sunset, which is at least a year after `since`. */
export const mayBeGone = (mark: Deprecated | undefined, now: Date): boolean =>
  mark !== undefined && lastsAYear(mark) && now.getTime() >= Date.parse(mark.sunset);

/** Returns faults of marks, alone and compared with those of the last release; a mark goes with what it marks. */
export function faultsOfMarks(before: Deprecations, after: Deprecations, names: ReadonlySet<string>): readonly string[] {
  const short = Object.entries(after).filter(([, mark]) => !lastsAYear(mark));
  return [
    ...short.map(([name]) => `the sunset of ${name} is not twelve months after it was deprecated`),
    ...Object.entries(before).flatMap(([name, { since, sunset }]) => {
      const mark = after[name];
      if (!names.has(name)) return [];
      if (!mark) return [`${name} is no longer marked as deprecated`];
      return [
        ...(mark.since === since ? [] : [`${name} was deprecated since ${since}, and now since ${mark.since}`]),
        ...(Date.parse(mark.sunset) >= Date.parse(sunset)
          ? []
          : [`the sunset of ${name} is ${mark.sunset}, and was promised for ${sunset}`]),
      ];
    }),
  ];
}

function lastsAYear({ since, sunset }: Deprecated): boolean {
  const earliest = new Date(since);
  earliest.setUTCFullYear(earliest.getUTCFullYear() + 1);
  // An invalid date is NaN, which is never late enough.
  return Date.parse(sunset) >= earliest.getTime();
}
