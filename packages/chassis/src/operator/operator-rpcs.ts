import { consumerParts, digestInbox, digestOutbox, eventsRead, explain, Fact, processedBy, type ServiceName } from '@corner/contracts';
import type { Broker } from '../broker/broker.ts';
import { readParts, setParts } from '../inbox/consumer-layout.ts';
import { digestProcessed } from '../inbox/digest-processed.ts';
import { processedAmong } from '../inbox/inbox.ts';
import { digestEvents, readEvents } from '../outbox/numbered-events.ts';
import { handleRpc, type RpcHandler } from '../rpc/handle-rpc.ts';
import { deadLetterRpcs } from './dead-letter-rpcs.ts';
import { type Explained, explainBackbone } from './explain.ts';
import { publishRead, type RecordRead } from './record-read.ts';
import { replayRpcs } from './replay-rpcs.ts';
import type { RetryOptions } from './settle-dead-letter.ts';
import { type StatusOptions, statusRpc } from './status-rpc.ts';

/** Returns facts from a service's own tables about some ids. It only reads, and reveals no credential, no code and no personal data. */
export type Explain<Context> = (ids: readonly string[], context: Context) => Promise<Explained>;

interface OperatorOptions<Context> {
  readonly explainOwn?: Explain<Context> | undefined;
  readonly recordRead?: RecordRead | undefined;
}

export function operatorRpcs<Context>(
  service: ServiceName,
  broker: Broker,
  options: RetryOptions<Context>,
  status: StatusOptions,
  { explainOwn, recordRead = publishRead }: OperatorOptions<Context> = {},
): RpcHandler<Context>[] {
  return [
    handleRpc(eventsRead(service), (range) => readEvents(options.database, service, range)),
    handleRpc(processedBy(service), ({ event_ids }) => processedAmong(options.database, event_ids)),
    handleRpc(digestOutbox(service), ({ from }) => digestEvents(options.database, from)),
    handleRpc(digestInbox(service), ({ producer, ranges }) => digestProcessed(options.database, producer, ranges)),
    handleRpc(consumerParts(service), async ({ parts, by }) => {
      if (parts !== null) {
        options.log.info({ parts, by }, 'the events that the service consumes are to be divided into so many parts');
        await setParts(options.database, parts);
      }
      return await readParts(options.database);
    }),
    ...deadLetterRpcs(service, options, recordRead),
    statusRpc(service, options.database, status),
    ...replayRpcs(service, broker, options),
    handleRpc(explain(service), async ({ ids, by }) => {
      const backbone = await explainBackbone(options.database, service, ids);
      const own = await explainOwn?.(ids, options.context);
      const facts = [...backbone.facts, ...(own?.facts ?? [])];
      // Not in one transaction with the statements: a service may call the payment provider between them.
      const read = { by: { kind: 'operator', id: by }, what: 'story', shown: facts } as const;
      await options.database.transaction((tx) => recordRead(tx, read));
      return {
        facts: facts.map((fact) => Fact.parse(fact)),
        also: [...backbone.also, ...(own?.also ?? [])],
      };
    }),
  ];
}
