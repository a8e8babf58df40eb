import { setTimeout as pause } from 'node:timers/promises';
import { type Envelope, streamOf } from '@corner/contracts';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

/** An event and its subject. */
export interface Outgoing {
  readonly subject: string;
  readonly envelope: Envelope;
}

/** Milliseconds between attempts while no service has made the stream yet. */
const againMs = 50;

/**
 * Publishes directory events in order. Their ids are their message ids, so that an event sent again after a lost acknowledgement is
 * stored once. The consuming services make the stream: until one has, this waits, for `withinMs` at most.
 */
export async function publishEvents(
  connection: NatsConnection,
  namespace: string,
  events: readonly Outgoing[],
  withinMs: number,
): Promise<void> {
  const js = jetstream(connection);
  const deadline = performance.now() + withinMs;
  for (;;) {
    const sent = await Promise.allSettled(
      events.map(({ subject, envelope }) =>
        js.publish(`${namespace}${subject}`, JSON.stringify(envelope), { msgID: envelope.id, timeout: 5_000 }),
      ),
    );
    const fault = sent.find((one) => one.status === 'rejected')?.reason;
    if (fault === undefined) return;
    if (performance.now() > deadline) {
      const stream = `${namespace.toUpperCase()}${streamOf('directory')}`;
      throw new Error(`the stream ${stream} does not take events: ${fault instanceof Error ? fault.message : String(fault)}`, {
        cause: fault,
      });
    }
    await pause(againMs);
  }
}
