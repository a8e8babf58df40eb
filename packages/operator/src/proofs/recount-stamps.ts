import { type StampEvidence, stampEvidence, type WebhookPayload } from '@corner/contracts';
import { z } from 'zod';
import { type DayRange, isWithin } from './event-feed.ts';

export interface Recounted {
  readonly stamps: number;
  readonly proved: number;
  readonly evidence: readonly { readonly evidence: StampEvidence; readonly stamps: number }[];
}

const Stamp = z.object({ stamp_id: z.string(), evidence: z.enum(stampEvidence).nullable().default(null) });

/**
 * Counts stamps, and those that a tap or a payment proves, from a store's events in the order of their numbers: stamps that began to count
 * within a range of days in a time zone, and whose last event still counts. Equals readStampEvidence.
 */
export function recountStamps(payloads: readonly WebhookPayload[], range: DayRange): Recounted {
  const isInRange = isWithin(range);
  const known = new Map<string, { readonly since: string; readonly evidence: StampEvidence | null; readonly counts: boolean }>();
  for (const { type, timestamp, data } of payloads) {
    if (!type.startsWith('stamp.') || type === 'stamp.pending') continue;
    const { stamp_id: id, evidence } = Stamp.parse(data);
    const earlier = known.get(id);
    if (type === 'stamp.approved') known.set(id, { since: earlier?.since ?? timestamp, evidence, counts: true });
    else if (earlier) known.set(id, { ...earlier, counts: false });
  }
  const counted = [...known.values()].filter(({ since, counts, evidence }) => counts && evidence !== 'import' && isInRange(since));
  const of = (wanted: StampEvidence) => counted.filter(({ evidence }) => evidence === wanted).length;
  const sums = stampEvidence.map((evidence) => ({ evidence, stamps: of(evidence) })).filter(({ stamps }) => stamps > 0);
  return {
    stamps: counted.length,
    proved: of('order') + of('tap'),
    evidence: sums.sort((a, b) => b.stamps - a.stamps || (a.evidence < b.evidence ? -1 : 1)),
  };
}
