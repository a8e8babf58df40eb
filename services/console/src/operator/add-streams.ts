import type { NatsBroker } from '@corner/chassis/calls';
import { Streams } from '@corner/console-api';
import { type Producer, producers, producersFor, type RpcOutput, readStatus, type ServiceName, services } from '@corner/contracts';
import type { Platform } from '@corner/operator';
import type { Api } from '../http/api.ts';
import { operator } from '../http/guards.ts';
import { askBroker, type ReadConsumer } from './consumer-reader.ts';
import { consumerState, producerState } from './producer-state.ts';

type Status = RpcOutput<ReturnType<typeof readStatus>>;
type Statuses = ReadonlyMap<string, Status>;

/**
 * Adds `GET /api/operator/streams`: how events flow from each producer to each consumer, and where they are stuck. If the broker does not
 * reply, its part is unknown and named; a service's report of its outbox and consumers is still shown.
 */
export function addStreams(api: Api, { platform, broker, readConsumer, now }: StreamsOptions): void {
  const readConsumers = (producer: Producer, statuses: Statuses, untold: string[]) =>
    Promise.all(
      services
        .filter((service) => producersFor(service).includes(producer))
        .map(async (service) => {
          const state = await readConsumer(producer, service);
          if (state === 'unknown') untold.push(`the consumer of ${service} in the stream of ${producer}`);
          const status = statuses.get(service);
          const fault = status?.consumer_faults.find((one) => one.producer === producer)?.fault ?? null;
          const completeness = status?.consumed.find((one) => one.producer === producer);
          return consumerState(service, state, { fault, completeness });
        }),
    );
  const readProducer = async (producer: Producer, statuses: Statuses, untold: string[]) => {
    const info = await askBroker(broker(), ({ jsm, streamOf }) => jsm.streams.info(streamOf(producer)));
    if (info === 'unknown') untold.push(`the stream of ${producer}`);
    const consumers = await readConsumers(producer, statuses, untold);
    const upstream = !platform.services.includes(producer);
    return { ...producerState(producer, { relay: statuses.get(producer)?.relay, info, consumers }, now()), upstream };
  };

  api.get('/api/operator/streams', operator('operator:read'), Streams, async () => {
    const { statuses, unreachable } = await readStatuses(platform);
    const untold: string[] = [];
    const read = await Promise.all(producers.map((producer) => readProducer(producer, statuses, untold)));
    const nats = untold.length === 0 ? [] : [{ service: 'nats' as const, error: `it does not say how these are: ${untold.join(', ')}` }];
    return { producers: read, unreachable: [...unreachable, ...nats] };
  });
}

async function readStatuses(platform: Platform) {
  const statuses = new Map<string, Status>();
  const unreachable: { service: ServiceName; error: string }[] = [];
  await Promise.all(
    platform.services.map(async (service) => {
      try {
        statuses.set(service, await platform.call(readStatus(service), {}));
      } catch (error) {
        unreachable.push({ service, error: platform.whyNot(error) });
      }
    }),
  );
  return { statuses, unreachable };
}

interface StreamsOptions {
  readonly platform: Platform;
  readonly broker: () => NatsBroker | null;
  readonly readConsumer: ReadConsumer;
  readonly now: () => Date;
}
