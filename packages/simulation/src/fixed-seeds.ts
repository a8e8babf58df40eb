/** How many steps the history of a seed has. A round has two of them, about. */
export const stepsOf = { default: 12, roundsIn: (steps: number): number => Math.ceil(steps / 2) };
