import { explain, Fact, type ServiceName } from '@corner/contracts';
import { answerDeadLetters } from './answer-dead-letters.ts';
import { answerReplays } from './answer-replays.ts';
import { type Answer, answer } from './ask.ts';
import type { Broker } from './broker.ts';
import { type Explained, explainBackbone } from './explain.ts';
import type { InboxOptions } from './inbox.ts';

/** What a service has on record of the things its ids name. It only reads, and tells no credential, no opening code and no person. */
export type Explain<Context> = (ids: readonly string[], context: Context) => Promise<Explained>;

/** Everything an operator may ask of any service. */
export function answerOperator<Context>(
  service: ServiceName,
  broker: Broker,
  options: InboxOptions<Context>,
  explainOwn?: Explain<Context>,
): Answer<Context>[] {
  return [
    ...answerDeadLetters(service, options),
    ...answerReplays(service, broker, options),
    answer(explain(service), async ({ ids }) => {
      const backbone = await explainBackbone(options.database, service, ids);
      const own = await explainOwn?.(ids, options.context);
      return {
        facts: [...backbone.facts, ...(own?.facts ?? [])].map((fact) => Fact.parse(fact)),
        also: [...backbone.also, ...(own?.also ?? [])],
      };
    }),
  ];
}
