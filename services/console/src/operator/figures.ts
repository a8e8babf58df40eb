import { Figures } from '@corner/console-api';
import { producersFor, type ServiceName, services } from '@corner/contracts';
import type { Api } from '../http/api.ts';
import { operator } from '../http/guards.ts';
import type { ChangeMemory } from '../live/change-memory.ts';
import type { ReadConsumer } from './consumer-reader.ts';
import { createWaits, minuteMs, minuteOf, minutesShown } from './waits.ts';

const sampleMs = 15_000;
const consumers = services.filter((service) => producersFor(service).length > 0);
const maxSamples = (minutesShown * minuteMs * consumers.length) / sampleMs;

export function addFigures(api: Api, { memory, readConsumer, now }: FiguresOptions): Disposable {
  const counts = new Map<string, Map<number, number>>();
  const waits = createWaits();
  const lag: { at: string; service: ServiceName; events: number }[] = [];
  const followed = memory.follow({
    changed({ change: { type, at, subject } }) {
      waits.note(type, subject, new Date(at));
      const ofType = counts.get(type) ?? new Map<number, number>();
      counts.set(type, ofType);
      const minute = minuteOf(new Date(at));
      ofType.set(minute, (ofType.get(minute) ?? 0) + 1);
      for (const old of ofType.keys()) if (old <= minuteOf(now()) - minutesShown) ofType.delete(old);
    },
    reset() {},
  });
  const sample = async (): Promise<void> => {
    const at = now().toISOString();
    for (const service of consumers) {
      const events = await pendingOf(readConsumer, service);
      if (events !== null) lag.push({ at, service, events });
    }
    lag.splice(0, Math.max(0, lag.length - maxSamples));
  };
  const sampling = setInterval(() => void sample().catch(() => {}), sampleMs).unref();

  api.get('/api/operator/figures', operator('operator:read'), Figures, async () => {
    const last = minuteOf(now());
    const minutes = Array.from({ length: minutesShown }, (_, index) => last - minutesShown + 1 + index);
    return {
      minutes: minutes.map((minute) => new Date(minute * minuteMs).toISOString()),
      counts: Object.fromEntries([...counts].map(([type, ofType]) => [type, minutes.map((minute) => ofType.get(minute) ?? 0)])),
      waits: minutes.map((minute) => waits.average(minute)),
      lag: [...lag],
    };
  });
  return {
    [Symbol.dispose]() {
      clearInterval(sampling);
      followed[Symbol.dispose]();
    },
  };
}

/** Null unless the broker reports all consumers of the service. */
async function pendingOf(readConsumer: ReadConsumer, service: ServiceName): Promise<number | null> {
  const states = await Promise.all(producersFor(service).map((producer) => readConsumer(producer, service)));
  if (states.includes('unknown')) return null;
  return states.reduce((sum, state) => sum + (typeof state === 'string' ? 0 : state.pending + state.unacknowledged), 0);
}

interface FiguresOptions {
  readonly memory: ChangeMemory;
  readonly readConsumer: ReadConsumer;
  readonly now: () => Date;
}
