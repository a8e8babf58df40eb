export const stepsOf = { default: 12, roundsIn: (steps: number): number => Math.ceil(steps / 2) };

export const seedsFrom = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, at) => first + at);

export function seedsIn(option: string): number[] {
  const [from, to] = option.split('..').map(Number);
  if (from !== undefined && to !== undefined && to >= from) return seedsFrom(from, to);
  return option.split(',').filter(Boolean).map(Number).filter(Number.isInteger);
}
