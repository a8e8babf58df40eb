import { digestInbox, digestOutbox, eventsRead, explain, Fact, processedBy, type ServiceName } from '@corner/contracts';
import type { Broker } from '../broker/broker.ts';
import { digestProcessed } from '../inbox/digest-processed.ts';
import { processedAmong } from '../inbox/inbox.ts';
import { digestEvents, readEvents } from '../outbox/numbered-events.ts';
import { handleRpc, type RpcHandler } from '../rpc/handle-rpc.ts';
import { deadLetterRpcs } from './dead-letter-rpcs.ts';
import { type Explained, explainBackbone } from './explain.ts';
import { replayRpcs } from './replay-rpcs.ts';
import type { RetryOptions } from './settle-dead-letter.ts';
import { type StatusOptions, statusRpc } from './status-rpc.ts';

/** Returns what a service's own tables have on record of some ids. It only reads, and reveals no credential, no code and no personal data. */
export type Explain<Context> = (ids: readonly string[], context: Context) => Promise<Explained>;

/** The RPCs that every service serves: to its consumers, to publishers that wait for it, and to its operator. */
export function operatorRpcs<Context>(
  service: ServiceName,
  broker: Broker,
  options: RetryOptions<Context>,
  status: StatusOptions,
  explainOwn?: Explain<Context>,
): RpcHandler<Context>[] {
  return [
    handleRpc(eventsRead(service), (range) => readEvents(options.database, service, range)),
    handleRpc(processedBy(service), ({ event_ids }) => processedAmong(options.database, event_ids)),
    handleRpc(digestOutbox(service), ({ from }) => digestEvents(options.database, from)),
    handleRpc(digestInbox(service), ({ producer, ranges }) => digestProcessed(options.database, producer, ranges)),
    ...deadLetterRpcs(service, options),
    statusRpc(service, options.database, status),
    ...replayRpcs(service, broker, options),
    handleRpc(explain(service), async ({ ids }) => {
      const backbone = await explainBackbone(options.database, service, ids);
      const own = await explainOwn?.(ids, options.context);
      return {
        facts: [...backbone.facts, ...(own?.facts ?? [])].map((fact) => Fact.parse(fact)),
        also: [...backbone.also, ...(own?.also ?? [])],
      };
    }),
  ];
}
