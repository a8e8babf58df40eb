import type { Streams } from '@corner/console-api';

export type Producer = Streams['producers'][number];
type Flow = 'stuck' | 'unknown' | 'flowing';

/** The producer that has no outbox: its snapshots are published by a command. */
const withoutOutbox = 'directory';

/** How the events of a producer flow: stuck where anyone says so, and flowing only when everyone says that all is well. */
export function flowOf({ producer, stream, unpublished, fault, consumers }: Producer): Flow {
  if (fault !== null || consumers.some((consumer) => consumer.fault !== null)) return 'stuck';
  const untold = stream === 'unknown' || consumers.some(({ pending }) => pending === null);
  return untold || (unpublished === null && producer !== withoutOutbox) ? 'unknown' : 'flowing';
}

/** What all streams are together: how many faults there are, whose flow is not known, and how many events wait where that is known. */
export function flowOfAll(producers: readonly Producer[]) {
  const consumers = producers.flatMap((producer) => producer.consumers);
  return {
    stuck: [...producers, ...consumers].filter(({ fault }) => fault !== null).length,
    unknown: producers.filter((producer) => flowOf(producer) === 'unknown').map(({ producer }) => producer),
    waiting: consumers.reduce((sum, { pending }) => sum + (pending ?? 0), 0),
  };
}
