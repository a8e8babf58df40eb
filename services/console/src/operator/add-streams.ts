import type { Broker } from '@corner/chassis/asking';
import { Streams } from '@corner/console-api';
import { type Producer, producers, producersFor, type RpcOutput, readStatus, type ServiceName, services } from '@corner/contracts';
import type { Platform } from '@corner/nats';
import type { z } from 'zod';
import type { Api } from '../http/api.ts';
import { operator } from '../http/guards.ts';
import { consumerFault, relayFault } from './stream-faults.ts';

type Status = RpcOutput<ReturnType<typeof readStatus>>;
type Consumer = z.input<typeof Streams>['producers'][number]['consumers'][number];

/** Adds `GET /api/operator/streams`: how events flow from each producer to each consumer, and where they are stuck. */
export function addStreams(api: Api, { platform, broker, now }: StreamsOptions): void {
  api.get('/api/operator/streams', operator('operator:read'), Streams, async () => {
    const unreachable: { service: ServiceName; error: string }[] = [];
    const statuses = new Map<string, Status>();
    await Promise.all(
      services.map(async (service) => {
        try {
          statuses.set(service, await platform.call(readStatus(service), {}));
        } catch (error) {
          unreachable.push({ service, error: platform.whyNot(error) });
        }
      }),
    );
    const connected = broker();
    const read = async (producer: Producer) => {
      const status = statuses.get(producer);
      const { unpublished = null, oldest_unpublished_at = null } = status?.relay ?? {};
      return {
        producer,
        stream: connected && (await readStream(connected, producer)),
        unpublished,
        oldest_unpublished_at,
        fault: status ? relayFault(status.relay, now()) : null,
        consumers: connected ? await readConsumers(connected, producer, statuses, now()) : [],
      };
    };
    return { producers: await Promise.all(producers.map(read)), unreachable };
  });
}

async function readStream({ jsm, streamOf }: Broker, producer: Producer) {
  const info = await jsm.streams.info(streamOf(producer)).catch(() => null);
  if (!info) return null;
  const { state, cluster, config } = info;
  return {
    messages: state.messages,
    bytes: state.bytes,
    last_sequence: state.last_seq,
    leader: cluster?.leader ?? null,
    replicas: config.num_replicas,
  };
}

async function readConsumers(
  { jsm, streamOf }: Broker,
  producer: Producer,
  statuses: ReadonlyMap<string, Status>,
  now: Date,
): Promise<Consumer[]> {
  const consuming = services.filter((service) => producersFor(service).includes(producer));
  return await Promise.all(
    consuming.map(async (service) => {
      const info = await jsm.consumers.info(streamOf(producer), service).catch(() => null);
      const counts = {
        pending: info?.num_pending ?? 0,
        unacknowledged: info?.num_ack_pending ?? 0,
        redelivered: info?.num_redelivered ?? 0,
        last_active_at: info?.ack_floor.last_active ? new Date(info.ack_floor.last_active).toISOString() : null,
      };
      const reported = statuses.get(service)?.consumer_faults.find((fault) => fault.producer === producer)?.fault ?? null;
      return { service, ...counts, fault: consumerFault({ service, exists: info !== null, reported, now, ...counts }) };
    }),
  );
}

interface StreamsOptions {
  readonly platform: Platform;
  readonly broker: () => Broker | null;
  readonly now: () => Date;
}
