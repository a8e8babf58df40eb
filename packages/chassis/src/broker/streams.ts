import { type Producer, producers } from '@corner/contracts';
import { describeUnsafeSetting, findStream, wantedStreams } from '@corner/nats';
import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';

export { retentionDays } from '@corner/nats';

/** A stream as a service sees it. It makes and changes none: `corner streams` does. */
export interface SeenStream {
  /** Null when the stream is missing. */
  readonly info: StreamInfo | null;
  /** What is wrong with it, a sentence with the command that mends it; null for nothing. */
  readonly fault: string | null;
}

/** Looks at a producer's stream. */
export async function describeStream(jsm: JetStreamManager, producer: Producer, namespace = ''): Promise<SeenStream> {
  const wanted = wantedStreams(namespace)[producers.indexOf(producer)];
  if (!wanted) throw new Error(`${producer} has no stream`);
  const info = await findStream(jsm, wanted.name);
  if (!info) return { info, fault: `The stream ${wanted.name} is missing. Run: corner streams` };
  return { info, fault: describeUnsafeSetting(info.config, wanted) };
}

/** A stream is missing, or a setting of it could lose events. The message says what to do. */
export class UnsafeStream extends Error {}

/** Returns a stream's state. Throws {@link UnsafeStream} when it is missing. */
export async function findOrCreateStream(jsm: JetStreamManager, { name }: { readonly name: string }): Promise<StreamInfo> {
  const info = await findStream(jsm, name);
  if (!info) throw new UnsafeStream(`The stream ${name} is missing. Run: corner streams`);
  return info;
}

/** Returns a stream that its producer publishes to. Throws {@link UnsafeStream} when it is missing or could lose events. */
export async function claimStream(jsm: JetStreamManager, { name, subject }: { readonly name: string; readonly subject: string }) {
  const producer = producers.find((one) => subject.endsWith(`${one}.>`)) ?? 'directory';
  const { info, fault } = await describeStream(jsm, producer, subject.slice(0, -`${producer}.>`.length));
  if (!info || fault) throw new UnsafeStream(fault ?? name);
  return { info, shortfall: null };
}
