import { setTimeout as pause } from 'node:timers/promises';
import {
  type Completeness,
  type Digest,
  digestInbox,
  digestOutbox,
  numbers,
  producersFor,
  readStatus,
  type ServiceName,
} from '@corner/contracts';
import type { Platform } from './call-service.ts';

export interface VerifiedEvents {
  readonly producer: ServiceName;
  readonly consumer: ServiceName;
  readonly last: number;
  readonly events: number;
  readonly differences: readonly { readonly from: number; readonly to: number; readonly published: number; readonly processed: number }[];
  /** Events that were lost or are unknown to the producer; null when the consumer did not reply. */
  readonly recorded: Pick<Completeness, 'unknown' | 'lost'> | null;
  readonly fault: string | null;
}

const againMs = 250;
const rangesOfOneCall = 100;

/**
 * Compares count and hash of every range of a producer's outbox with each consuming inbox, again until they agree or `withinMs` have
 * passed, since events may be under way.
 */
export async function verifyEvents(platform: Platform, withinMs = 10_000): Promise<VerifiedEvents[]> {
  const deadline = performance.now() + withinMs;
  return (await Promise.all(platform.services.filter(numbers).map((producer) => verifyProducer(platform, producer, deadline)))).flat();
}

async function verifyProducer({ services, call, whyNot }: Platform, producer: ServiceName, deadline: number): Promise<VerifiedEvents[]> {
  const consumers = services.filter((service) => producersFor(service).includes(producer));
  const nothing = { producer, last: 0, events: 0, differences: [], recorded: null };
  let published: { readonly last: number; readonly ranges: readonly Digest[] };
  try {
    published = await readPublished();
  } catch (error) {
    return consumers.map((consumer) => ({ ...nothing, consumer, fault: `${producer} did not reply: ${whyNot(error)}` }));
  }
  const { last, ranges } = published;
  const events = ranges.reduce((sum, { count }) => sum + count, 0);
  return await Promise.all(
    consumers.map(async (consumer) => {
      try {
        const { consumed } = await call(readStatus(consumer), {});
        const recorded = consumed.find((position) => position.producer === producer) ?? { unknown: 0, lost: [] };
        return { producer, consumer, last, events, differences: await differencesAt(consumer), recorded, fault: null };
      } catch (error) {
        return { ...nothing, consumer, last, fault: `${consumer} did not reply: ${whyNot(error)}` };
      }
    }),
  );

  async function readPublished() {
    const all: Digest[] = [];
    for (let from: number | null = 1, end = 0; ; ) {
      const page: { last: number; ranges: Digest[]; next: number | null } = await call(digestOutbox(producer), { from });
      end ||= page.last;
      all.push(...page.ranges.filter((range) => range.from <= end));
      from = page.next;
      if (from === null || from > end) return { last: end, ranges: all };
    }
  }

  async function differencesAt(consumer: ServiceName): Promise<VerifiedEvents['differences']> {
    for (let open = ranges; ; await pause(againMs)) {
      const differing: { readonly range: Digest; readonly processed: number }[] = [];
      for (let at = 0; at < open.length; at += rangesOfOneCall) {
        const asked = open.slice(at, at + rangesOfOneCall);
        const { ranges: found } = await call(digestInbox(consumer), { producer, ranges: asked.map(({ from, to }) => ({ from, to })) });
        for (const [index, range] of asked.entries())
          if (found[index]?.hash !== range.hash) differing.push({ range, processed: found[index]?.count ?? 0 });
      }
      open = differing.map(({ range }) => range);
      if (differing.length === 0 || performance.now() > deadline)
        return differing.map(({ range: { from, to, count }, processed }) => ({ from, to, published: count, processed }));
    }
  }
}
