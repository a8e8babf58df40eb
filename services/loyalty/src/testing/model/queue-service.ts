import { randomUUID } from 'node:crypto';
import type { Envelope } from '@corner/contracts';
import { type VisitedPlace, visitEvent } from '../events.ts';
import type { StepOf } from './steps.ts';

/**
 * A place in the queue. `sequence`: of its last event, published or held back. `published`: of its last published one; an odd one is a
 * completion, an even one undoes it.
 */
export interface KnownVisit extends VisitedPlace {
  sequence: number;
  published: number;
}

interface QueueAccess {
  storeAt(index: number): string;
  customer(index: number): string;
  back<T>(list: readonly T[], index: number): T | undefined;
  publish(envelope: Envelope): Promise<void>;
}

/** Stands in for the queue service: it completes visits and undoes that, and publishes so late, twice and out of order. */
export function queueService({ storeAt, customer, back, publish }: QueueAccess) {
  const visits: KnownVisit[] = [];
  const late: { readonly visit: KnownVisit; readonly sequence: number }[] = [];
  const report = async (visit: KnownVisit, sequence: number) => {
    await publish(visitEvent(sequence % 2 === 1 ? 'completed' : 'reopened', visit, sequence));
    visit.published = Math.max(visit.published, sequence);
  };
  const newVisit = (storeId: string, customerId: string): KnownVisit => {
    const visit = { ref: randomUUID(), storeId, customerId, sequence: 0, published: 0 };
    visits.push(visit);
    return visit;
  };
  const steps = {
    async serve({ who, place, late: later, at }: StepOf<'serve'>) {
      const visit = (place === null ? undefined : back(visits, place)) ?? newVisit(storeAt(at), customer(who));
      visit.sequence += 1;
      if (later) late.push({ visit, sequence: visit.sequence });
      else await report(visit, visit.sequence);
    },
    async arriveVisit({ event }: StepOf<'arriveVisit'>) {
      const [held] = late.splice(event % Math.max(1, late.length), 1);
      if (held) await report(held.visit, held.sequence);
    },
  };
  return { visits: visits as readonly KnownVisit[], steps };
}
