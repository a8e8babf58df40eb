import type { Broker } from '@corner/chassis/asking';
import { Streams } from '@corner/console-api';
import { type Producer, producers, producersFor, type RpcOutput, readStatus, type ServiceName, services } from '@corner/contracts';
import type { Platform } from '@corner/nats';
import type { StreamInfo } from '@nats-io/jetstream';
import type { z } from 'zod';
import type { Api } from '../http/api.ts';
import { operator } from '../http/guards.ts';
import { askBroker, type ReadConsumer } from './consumer-reader.ts';
import { consumerFault, relayFault } from './stream-faults.ts';

type Status = RpcOutput<ReturnType<typeof readStatus>>;
type Statuses = ReadonlyMap<string, Status>;
type ProducerState = z.input<typeof Streams>['producers'][number];
type Consumer = ProducerState['consumers'][number];

/**
 * Adds `GET /api/operator/streams`: how events flow from each producer to each consumer, and where they are stuck. What the broker does not say is
 * left out, and named.
 */
export function addStreams(api: Api, { platform, broker, readConsumer, now }: StreamsOptions): void {
  const readConsumers = async (producer: Producer, statuses: Statuses, untold: string[]): Promise<Consumer[]> => {
    const consuming = services.filter((service) => producersFor(service).includes(producer));
    const consumers = await Promise.all(
      consuming.map(async (service) => {
        const state = await readConsumer(producer, service);
        if (state === 'unknown') {
          untold.push(`the consumer of ${service} in the stream of ${producer}`);
          return [];
        }
        const reported = statuses.get(service)?.consumer_faults.find((fault) => fault.producer === producer)?.fault ?? null;
        return [{ service, ...(state === 'missing' ? nothing : state), fault: consumerFault(service, state, reported) }];
      }),
    );
    return consumers.flat();
  };
  const readProducer = async (producer: Producer, statuses: Statuses, untold: string[]): Promise<ProducerState[]> => {
    const info = await askBroker(broker(), ({ jsm, streamOf }) => jsm.streams.info(streamOf(producer)));
    if (info === 'unknown') {
      untold.push(`the stream of ${producer}`);
      return [];
    }
    const status = statuses.get(producer);
    const { unpublished = null, oldest_unpublished_at = null } = status?.relay ?? {};
    return [
      {
        producer,
        stream: info === 'missing' ? null : streamIn(info),
        unpublished,
        oldest_unpublished_at,
        fault: status ? relayFault(status.relay, now()) : null,
        consumers: await readConsumers(producer, statuses, untold),
      },
    ];
  };

  api.get('/api/operator/streams', operator('operator:read'), Streams, async () => {
    const { statuses, unreachable } = await readStatuses(platform);
    const untold: string[] = [];
    const read = await Promise.all(producers.map((producer) => readProducer(producer, statuses, untold)));
    const nats = untold.length === 0 ? [] : [{ service: 'nats' as const, error: `it does not say how these are: ${untold.join(', ')}` }];
    return { producers: read.flat(), unreachable: [...unreachable, ...nats] };
  });
}

async function readStatuses(platform: Platform) {
  const statuses = new Map<string, Status>();
  const unreachable: { service: ServiceName; error: string }[] = [];
  await Promise.all(
    services.map(async (service) => {
      try {
        statuses.set(service, await platform.call(readStatus(service), {}));
      } catch (error) {
        unreachable.push({ service, error: platform.whyNot(error) });
      }
    }),
  );
  return { statuses, unreachable };
}

const nothing = { pending: 0, unacknowledged: 0, redelivered: 0, last_active_at: null };

const streamIn = ({ state, cluster, config }: StreamInfo): ProducerState['stream'] => ({
  messages: state.messages,
  bytes: state.bytes,
  last_sequence: state.last_seq,
  leader: cluster?.leader ?? null,
  replicas: config.num_replicas,
});

interface StreamsOptions {
  readonly platform: Platform;
  readonly broker: () => Broker | null;
  readonly readConsumer: ReadConsumer;
  readonly now: () => Date;
}
