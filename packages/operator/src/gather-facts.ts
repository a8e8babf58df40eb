import { explain, type Fact, type ServiceName } from '@corner/contracts';
import type { Platform } from './call-service.ts';

export interface ServiceFact extends Fact {
  readonly service: string;
}

export interface GatheredFacts {
  readonly facts: readonly ServiceFact[];
  readonly unreachable: readonly { readonly service: ServiceName; readonly error: string }[];
}

/** Follows related ids this many times: an order's events, their effects, the events of those, and their effects. */
const maxRounds = 4;
const maxIds = 500;

/**
 * Gathers every service's facts about an id and its related ids. `by` is recorded as the person who asked, where the caller vouches for
 * them, else the operator.
 */
export async function gatherFacts({ services, call, whyNot }: Platform, id: string, by?: string): Promise<GatheredFacts> {
  const facts = new Map<string, ServiceFact>();
  const unreachable = new Map<ServiceName, string>();
  const requested = new Set<string>();
  for (let ids = spellingsOf(id), round = 0; ids.length > 0 && round < maxRounds; round += 1) {
    for (const each of ids) requested.add(each);
    const related = new Set<string>();
    await Promise.all(
      services.map(async (service) => {
        try {
          const reply = await call(explain(service), { ids, ...(by === undefined ? {} : { by }) });
          for (const fact of reply.facts) facts.set(`${fact.at} ${fact.sentence}`, { service, ...fact });
          for (const other of reply.also) if (!requested.has(other)) related.add(other);
        } catch (error) {
          unreachable.set(service, whyNot(error));
        }
      }),
    );
    ids = [...related].slice(0, maxIds);
  }
  return {
    facts: [...facts.values()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    unreachable: [...unreachable].map(([service, error]) => ({ service, error })),
  };
}

const spellingsOf = (id: string): string[] => (/^[a-z]+_/.test(id) ? [id] : [...new Set([id, id.toUpperCase(), id.toLowerCase()])]);
