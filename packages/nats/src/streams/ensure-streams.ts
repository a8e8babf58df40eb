import type { JetStreamManager } from '@nats-io/jetstream';
import type { ConsumerParts } from './consumer-parts.ts';
import { type ConsumerWatch, ensureConsumer, newWatch } from './ensure-consumer.ts';
import { ensureStream } from './ensure-stream.ts';
import { describeRefusal } from './refusals.ts';
import { type WantedStream, wantedStreams } from './wanted.ts';

export interface StreamsOptions {
  readonly namespace?: string;
  /** Undefined leaves the number to the broker and its operator. */
  readonly replicas?: number | undefined;
  readonly parts?: ConsumerParts;
}

export interface StreamsReport {
  readonly done: readonly string[];
  readonly faults: readonly string[];
}

/** The results of earlier checks, by stream and consumer; `stuckMs` as in keepStreams. */
export interface StreamsMemory {
  readonly watches: Map<string, ConsumerWatch>;
  readonly stuckMs?: number;
}

/**
 * Makes missing streams and consumers, changes settings that may be changed, and repairs consumers. Any number may run at once. Never
 * throws: failures are among the faults.
 */
export async function ensureStreams(
  jsm: JetStreamManager,
  { namespace, replicas, parts }: StreamsOptions = {},
  memory: StreamsMemory = { watches: new Map() },
): Promise<StreamsReport> {
  const reports = await Promise.all(wantedStreams(namespace, parts).map((wanted) => ensureOne(jsm, wanted, replicas, memory)));
  return { done: reports.flatMap(({ done }) => done), faults: reports.flatMap(({ faults }) => faults) };
}

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

const describeFault = (error: unknown): string => describeRefusal(error) ?? (Error.isError(error) ? error.message : String(error));
