/** The seeds of the histories that each model plays: the same five in every run. `npm run models` sets random ones in MODEL_SEEDS. */
export const modelSeeds: readonly number[] = (process.env.MODEL_SEEDS ?? '1,2,3,4,5').split(',').map(Number);

/** Returns fast-check's parameters for the histories of a seed. MODEL_PATH, as a failure prints it, repeats one of them. */
export function historiesOf(seed: number, histories: number) {
  const path = process.env.MODEL_PATH;
  return { seed, numRuns: histories, ...(path ? { path } : {}), endOnFailure: true };
}
