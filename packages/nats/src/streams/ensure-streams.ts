import type { JetStreamManager } from '@nats-io/jetstream';
import type { ConsumerParts } from './consumer-parts.ts';
import { type ConsumerWatch, ensureConsumer, newWatch } from './ensure-consumer.ts';
import { ensureStream } from './ensure-stream.ts';
import { describeRefusal } from './refusals.ts';
import { type WantedStream, wantedStreams } from './wanted.ts';

export interface StreamsOptions {
  readonly namespace?: string;
  /** Servers that are to keep each stream; undefined leaves that to the broker and its operator. */
  readonly replicas?: number | undefined;
  /** The services that have consumers for several parts. */
  readonly parts?: ConsumerParts;
}

export interface StreamsReport {
  readonly done: readonly string[];
  /** The remaining faults, each with what to do where that is known. */
  readonly faults: readonly string[];
}

/** The results of earlier checks, by stream and consumer; and after how long a consumer counts as stuck, in milliseconds. */
export interface StreamsMemory {
  readonly watches: Map<string, ConsumerWatch>;
  readonly stuckMs?: number;
}

/**
 * Makes missing streams and consumers, changes what may be changed, and repairs consumers. May run any number of times, also at once with
 * another. Never throws: failures are among the faults.
 */
export async function ensureStreams(
  jsm: JetStreamManager,
  { namespace, replicas, parts }: StreamsOptions = {},
  memory: StreamsMemory = { watches: new Map() },
): Promise<StreamsReport> {
  const reports = await Promise.all(wantedStreams(namespace, parts).map((wanted) => ensureOne(jsm, wanted, replicas, memory)));
  return { done: reports.flatMap(({ done }) => done), faults: reports.flatMap(({ faults }) => faults) };
}

/** A stream before its consumers, since nothing can consume a stream that is missing. */
async function ensureOne(
  jsm: JetStreamManager,
  wanted: WantedStream,
  replicas: number | undefined,
  { watches, stuckMs }: StreamsMemory,
): Promise<StreamsReport> {
  const report = { done: [] as string[], faults: [] as string[] };
  const stream = await ensureStream(jsm, wanted, replicas).catch((error: unknown) => {
    report.faults.push(`The stream ${wanted.name} cannot be made or looked at: ${describeFault(error)}`);
    return null;
  });
  if (!stream) return report;
  if (stream.done) report.done.push(stream.done);
  if (stream.fault) report.faults.push(stream.fault);
  for (const service of wanted.consumers) {
    const key = `${wanted.name} ${service}`;
    const watch = watches.get(key) ?? newWatch();
    watches.set(key, watch);
    const place = { stream: wanted.name, service, isNew: stream.isNew };
    try {
      const done = await ensureConsumer(jsm, place, watch, stuckMs);
      if (done) report.done.push(done);
    } catch (error) {
      report.faults.push(`The consumer ${service} of ${wanted.name} cannot be made or looked at: ${describeFault(error)}`);
    }
  }
  return report;
}

/** Replies of the broker hold no data of events, so a message can be shown. */
const describeFault = (error: unknown): string => describeRefusal(error) ?? (Error.isError(error) ? error.message : String(error));
