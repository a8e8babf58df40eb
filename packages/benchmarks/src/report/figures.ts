export interface Spread {
  readonly median: number;
  readonly worst: number;
  readonly all: readonly number[];
}

export type Better = 'more' | 'less' | { readonly near: number };

export function spread(values: readonly number[], better: Better): Spread {
  return { median: quantile(values, 0.5), worst: worstOf(values, better), all: values };
}

function worstOf(values: readonly number[], better: Better): number {
  if (better === 'more') return Math.min(...values);
  if (better === 'less') return Math.max(...values);
  const distance = (value: number) => Math.abs(value - better.near);
  return values.reduce((worst, value) => (distance(value) > distance(worst) ? value : worst));
}

/** Interpolates linearly; `q` is from 0 to 1. Throws when there are no values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (low === undefined || high === undefined) throw new Error('no values to take a quantile of');
  return low + (high - low) * (at - Math.floor(at));
}

export interface Finding {
  readonly what: string;
  readonly unit: string;
  readonly figure: Spread;
  readonly goal?: Goal;
}

export interface Goal {
  readonly at: 'least' | 'most' | 'exactly';
  readonly value: number;
}

export const rowsOf =
  <Round>(rounds: readonly Round[], name: string) =>
  (...[what, unit, better, figureOf, goal]: RowOf<Round>): Finding => ({
    what: `${name}${what}`,
    unit,
    figure: spread(rounds.map(figureOf), better),
    ...(goal ? { goal } : {}),
  });

type RowOf<Round> = [what: string, unit: string, better: Better, figureOf: (round: Round) => number, goal?: Goal];

export function reaches({ figure, goal }: Finding): boolean | null {
  if (!goal) return null;
  if (goal.at === 'exactly') return figure.all.every((value) => value === goal.value);
  return goal.at === 'least' ? figure.median >= goal.value : figure.median <= goal.value;
}

export const goalAsText = (goal: Goal | undefined): string =>
  goal ? `${{ least: '≥', most: '≤', exactly: '=' }[goal.at]} ${short(goal.value)}` : '';

export const verdictOn = (finding: Finding): string => ({ true: 'met', false: 'missed', null: '' })[`${reaches(finding)}`];

export const short = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-GB') : String(Number(value.toPrecision(3)));

export function textTable(rows: readonly (readonly string[])[], numeric: readonly number[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, column: number) =>
    numeric.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}
