import { setTimeout as pause } from 'node:timers/promises';
import { processedBy, type ServiceName } from '@corner/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { callService } from '../call-service.ts';

export interface ProcessedOptions {
  readonly connection: NatsConnection;
  readonly namespace: string;
  readonly services: readonly ServiceName[];
  readonly withinMs: number;
}

const againMs = 20;
const page = 1_000;

export async function waitUntilProcessed(
  { connection, namespace, services, withinMs }: ProcessedOptions,
  eventIds: readonly string[],
): Promise<void> {
  const deadline = performance.now() + withinMs;
  const lagging = await Promise.all(services.map((service) => lag(service)));
  const sentences = lagging.filter((sentence) => sentence !== null);
  if (sentences.length > 0) throw new Error(sentences.join('\n'));

  async function lag(service: ServiceName): Promise<string | null> {
    let open = eventIds;
    let last = 'it does not answer';
    while (open.length > 0) {
      try {
        const { processed, dead_lettered } = await callService({ connection, namespace }, processedBy(service), {
          event_ids: [...open.slice(0, page)],
        });
        if (dead_lettered.length > 0)
          return `${service} could not take in ${dead_lettered.length} of ${eventIds.length} events and set them aside: ${dead_lettered[0]}`;
        const known = new Set(processed);
        open = open.filter((id) => !known.has(id));
        last = 'it is slow';
        if (known.size > 0) continue;
      } catch (error) {
        last = `it does not answer: ${error instanceof Error ? error.message : String(error)}`;
      }
      if (performance.now() > deadline) {
        return `${service} has not taken in ${open.length} of ${eventIds.length} events after ${withinMs / 1000} s: ${last}`;
      }
      await pause(againMs);
    }
    return null;
  }
}
