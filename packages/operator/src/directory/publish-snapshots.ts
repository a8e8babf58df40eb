import { setTimeout as pause } from 'node:timers/promises';
import { type Envelope, streamOf } from '@corner/contracts';
import { JetStreamApiError, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';

export interface Snapshot {
  readonly id: string;
  readonly object: string;
  readonly subject: string;
  readonly envelope: (version: number) => Envelope;
}

interface PublishOptions {
  readonly connection: NatsConnection;
  readonly namespace: string;
  readonly withinMs: number;
  readonly above: number;
}

const pageSize = 200;
const againMs = 50;
/** The subject has a newer message than the publisher has read. */
const wrongLastSequence = 10_071;
const noMessage = 10_037;

/**
 * Publishes snapshots in order, each one version above the newest of its object in the stream; waits `withinMs` for a stream that no
 * service has made yet. Throws when another publisher publishes one of the objects at the same time, and overwrites none of its messages.
 */
export async function publishSnapshots(options: PublishOptions, snapshots: readonly Snapshot[]): Promise<void> {
  const stream = `${options.namespace.toUpperCase()}${streamOf('directory')}`;
  const jsm = await jetstreamManager(options.connection, { checkAPI: false });
  const deadline = performance.now() + options.withinMs;
  for (let from = 0; from < snapshots.length; from += pageSize) {
    const page = snapshots.slice(from, from + pageSize);
    for (;;) {
      const fault = await publishPage(options, jsm, stream, page);
      if (fault === undefined) break;
      if (performance.now() > deadline)
        throw new Error(`the stream ${stream} does not take events: ${fault instanceof Error ? fault.message : String(fault)}`, {
          cause: fault,
        });
      await pause(againMs);
    }
  }
}

async function publishPage(
  { connection, namespace, above }: PublishOptions,
  jsm: JetStreamManager,
  stream: string,
  page: readonly Snapshot[],
): Promise<unknown> {
  const js = jetstream(connection);
  const read = await Promise.allSettled(page.map(({ subject }) => newestOf(jsm, stream, `${namespace}${subject}`)));
  const sent = await Promise.allSettled(
    page.map(async ({ id, object, subject, envelope }, index) => {
      const one = read[index];
      if (one?.status !== 'fulfilled') throw one?.reason;
      const newest = one.value;
      if (newest.id === id) return;
      const body = JSON.stringify(envelope(Math.max(newest.version, above) + 1));
      const expect = { lastSubjectSequence: newest.sequence };
      try {
        await js.publish(`${namespace}${subject}`, body, { msgID: id, timeout: 5_000, expect });
      } catch (error) {
        throw isApiError(error, wrongLastSequence) ? new PublishedByAnother(object) : error;
      }
    }),
  );
  const faults = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const conflict = faults.find((fault) => fault instanceof PublishedByAnother);
  if (conflict) throw conflict;
  return faults[0];
}

class PublishedByAnother extends Error {
  constructor(object: string) {
    super(
      `another publisher published ${object} at the same time, and that version stays. Look at what it holds, and apply the file again`,
    );
    this.name = 'PublishedByAnother';
  }
}

const Newest = z.object({ id: z.string(), sequence: z.int().min(0) });

async function newestOf(jsm: JetStreamManager, stream: string, subject: string) {
  try {
    const message = await jsm.streams.getMessage(stream, { last_by_subj: subject });
    if (message) return { sequence: message.seq, ...idAndVersion(message.string()) };
  } catch (error) {
    if (!isApiError(error, noMessage)) throw error;
  }
  return { sequence: 0, id: '', version: 0 };
}

function idAndVersion(text: string): { readonly id: string; readonly version: number } {
  try {
    const { id, sequence } = Newest.parse(JSON.parse(text));
    return { id, version: sequence };
  } catch {
    return { id: '', version: 0 };
  }
}

const isApiError = (error: unknown, code: number): boolean => error instanceof JetStreamApiError && error.code === code;
