/** The same five in every run. `npm run models` sets random ones in MODEL_SEEDS. */
export const modelSeeds: readonly number[] = (process.env.MODEL_SEEDS ?? '1,2,3,4,5').split(',').map(Number);

export function historiesOf(seed: number, histories: number) {
  const path = process.env.MODEL_PATH;
  return { seed, numRuns: histories, ...(path ? { path } : {}), endOnFailure: true };
}
