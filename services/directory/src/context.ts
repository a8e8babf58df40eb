import type { Platform } from '@corner/chassis';

export interface Context extends Pick<Platform, 'broker' | 'call' | 'database' | 'log' | 'newId' | 'now'> {
  /** Whether this process has looked at the stream for another producer, the look under way, and what is known of another. */
  readonly producers: { looked: boolean; looking: Promise<void> | null; fault: string | null };
}

export const createContext = ({ broker, call, database, log, newId, now }: Platform): Context => ({
  broker,
  call,
  database,
  log,
  newId,
  now,
  producers: { looked: false, looking: null, fault: null },
});
