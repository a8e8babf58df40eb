import { waitOfLastParty } from '@corner/queue/benchmarks';
import { type Finding, quantile, spread } from '../report/figures.ts';
import type { PartOptions } from './part.ts';

const rounds = 2_000;

export async function measureWaitEstimate({ repetitions }: PartOptions): Promise<Finding[]> {
  const estimate = waitOfLastParty({ chairs: 20, bookings: 200, waiting: 100 });
  const medians = Array.from({ length: repetitions + 1 }, () => medianTime(estimate));
  const figure = spread(medians.slice(1), 'less');
  return [{ what: 'wait estimate, 20 chairs, 200 bookings, 100 waiting', unit: 'ms', figure, goal: { at: 'most', value: 0.2 } }];
}

function medianTime(work: () => unknown): number {
  const took = Array.from({ length: rounds }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return quantile(took, 0.5);
}
