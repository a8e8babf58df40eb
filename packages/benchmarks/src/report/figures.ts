/** A measure over the repetitions. `worst` is the lowest or the highest value, whichever is worse for the measure. */
export interface Spread {
  readonly median: number;
  readonly worst: number;
  readonly all: readonly number[];
}

/** Summarizes the repetitions of a measure. `better` says whether more or less is better. Throws when there are no values. */
export function spread(values: readonly number[], better: 'more' | 'less'): Spread {
  return { median: quantile(values, 0.5), worst: better === 'more' ? Math.min(...values) : Math.max(...values), all: values };
}

/** The q-quantile (0 to 1), by linear interpolation between neighbours. Throws when there are no values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (low === undefined || high === undefined) throw new Error('no values to take a quantile of');
  return low + (high - low) * (at - Math.floor(at));
}

/** One line of the report. */
export interface Finding {
  readonly what: string;
  /** The unit of `figure`. */
  readonly unit: string;
  readonly figure: Spread;
  /** The goal for the median, printed for example as `≥ 0.65`; absent when there is none. */
  readonly goal?: Goal;
}

export interface Goal {
  readonly at: 'least' | 'most';
  readonly value: number;
}

/** Whether the median reaches the goal; null without one. */
export const reaches = ({ figure, goal }: Finding): boolean | null =>
  goal ? (goal.at === 'least' ? figure.median >= goal.value : figure.median <= goal.value) : null;

/** The findings as a table of text, with `met` or `missed` where there is a goal. */
export function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => {
    const { what, unit, figure, goal } = finding;
    const wanted = goal ? `${goal.at === 'least' ? '≥' : '≤'} ${short(goal.value)}` : '';
    const verdict = { true: 'met', false: 'missed', null: '' }[String(reaches(finding)) as 'true' | 'false' | 'null'];
    return [what, short(figure.median), short(figure.worst), unit, wanted, verdict];
  });
  const all = [['', 'median', 'worst', '', 'goal', ''], ...rows];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const numeric = (column: number) => column === 1 || column === 2;
  return all
    .map((row) =>
      row
        .map((cell, i) => (numeric(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The value with three significant digits. */
export const short = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-GB') : String(Number(value.toPrecision(3)));
