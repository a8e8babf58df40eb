import type { Streams } from '@corner/console-api';

export type Producer = Streams['producers'][number];
type Flow = 'stuck' | 'unknown' | 'flowing';

export function flowOf({ upstream, stream, unpublished, fault, consumers }: Producer): Flow {
  if (fault !== null || consumers.some((consumer) => consumer.fault !== null)) return 'stuck';
  const untold = stream === 'unknown' || consumers.some(({ pending }) => pending === null);
  return untold || (unpublished === null && !upstream) ? 'unknown' : 'flowing';
}

export function flowOfAll(producers: readonly Producer[]) {
  const consumers = producers.flatMap((producer) => producer.consumers);
  return {
    stuck: [...producers, ...consumers].filter(({ fault }) => fault !== null).length,
    unknown: producers.filter((producer) => flowOf(producer) === 'unknown').map(({ producer }) => producer),
    waiting: consumers.reduce((sum, { pending }) => sum + (pending ?? 0), 0),
  };
}
