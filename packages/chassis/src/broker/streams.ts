import { type Producer, producers } from '@corner/contracts';
import { describeUnsafeSetting, findStream, wantedStreams } from '@corner/nats';
import type { JetStreamManager } from '@nats-io/jetstream';
import { type SeenStream, UnfitStream } from './broker.ts';

export { retentionDays } from '@corner/nats';

/** Short: a broker that lost everything gets its streams back at once. */
export const againMs = 1_000;

export async function lookAtStream(jsm: JetStreamManager, producer: Producer, namespace = ''): Promise<SeenStream> {
  const wanted = wantedStreams(namespace)[producers.indexOf(producer)];
  if (!wanted) throw new Error(`${producer} has no stream`);
  const info = await findStream(jsm, wanted.name);
  if (!info) throw UnfitStream.missing(`stream ${wanted.name}`);
  const { first_seq: firstSequence, last_seq: lastSequence } = info.state;
  return { firstSequence, lastSequence, fault: describeUnsafeSetting(info.config, wanted) };
}
