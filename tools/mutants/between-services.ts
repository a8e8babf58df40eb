import type { Mutant } from './of-callers.ts';

const loyalty = 'services/loyalty/src';
const chassis = 'packages/chassis/src';

/** A fault in what one service does to another, and the seeds whose histories show it. */
interface Between extends Omit<Mutant, 'tests'> {
  readonly seeds: string;
}

/** Faults that only several services together show. The simulation plays the named seeds with each. */
const between: readonly Between[] = [
  {
    name: 'an order whose award lost its reply is awarded again by its event',
    file: `${loyalty}/orders/transactions/award-orders.ts`,
    find: 'if (task && data.entry?.paid) awards',
    plant: 'if (task && data.entry?.paid && !data) awards',
    seeds: '1',
  },
  {
    name: 'an erasure is done while an order of the customer is under way',
    file: `${chassis}/inbox/erase-customer.ts`,
    find: 'const isLeft = (await data.isLeft?.(tx, id)) ?? false;',
    plant: 'const isLeft = false;',
    seeds: '13',
  },
];

/** The same, as all mutants are planted. */
export const mutantsBetweenServices: readonly Mutant[] = between.map(({ seeds, ...mutant }) => ({
  ...mutant,
  tests: ['simulation/src/simulation.test'],
  environment: { SIMULATE_SEEDS: seeds },
}));
