import { explain, Fact, type ServiceName } from '@corner/contracts';
import type { Broker } from '../broker/broker.ts';
import type { InboxOptions } from '../inbox/inbox.ts';
import { handleRpc, type RpcHandler } from '../rpc/rpc.ts';
import { deadLetterRpcs } from './dead-letter-rpcs.ts';
import { type Explained, explainBackbone } from './explain.ts';
import { replayRpcs } from './replay-rpcs.ts';

/** What a service has on record of the things its ids name. It only reads, and tells no credential, no opening code and no person. */
export type Explain<Context> = (ids: readonly string[], context: Context) => Promise<Explained>;

/** Everything an operator may ask of any service. */
export function operatorRpcs<Context>(
  service: ServiceName,
  broker: Broker,
  options: InboxOptions<Context>,
  explainOwn?: Explain<Context>,
): RpcHandler<Context>[] {
  return [
    ...deadLetterRpcs(service, options),
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
