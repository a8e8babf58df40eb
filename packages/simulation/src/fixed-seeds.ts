/** How many steps the history of a seed has. A round has two of them, about. */
export const stepsOf = { default: 12, roundsIn: (steps: number): number => Math.ceil(steps / 2) };

/** The seeds from one number to another. */
export const seedsFrom = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** The seeds that an option names: `7`, `1,5` or `1..40`. */
export function seedsIn(option: string): number[] {
  const [from, to] = option.split('..').map(Number);
  if (from !== undefined && to !== undefined && to >= from) return seedsFrom(from, to);
  return option.split(',').filter(Boolean).map(Number).filter(Number.isInteger);
}
