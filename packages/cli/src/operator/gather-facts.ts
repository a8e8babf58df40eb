import { explain, type Fact, type ServiceName, services } from '@corner/contracts';
import type { Services } from './connect-to-services.ts';

export interface ServiceFact extends Fact {
  readonly service: string;
}

export interface GatheredFacts {
  /** In order of time. */
  readonly facts: readonly ServiceFact[];
  readonly unreachable: readonly { readonly service: ServiceName; readonly error: string }[];
}

/** How often related ids are followed: an order's events, their effects, the events of those, and their effects. */
const maxRounds = 4;
const maxIds = 500;

/** Gathers every service's facts about an id and about the related ids that the services return. */
export async function gatherFacts(platform: Services, id: string): Promise<GatheredFacts> {
  const facts = new Map<string, ServiceFact>();
  const unreachable = new Map<ServiceName, string>();
  const requested = new Set<string>();
  for (let ids = spellingsOf(id), round = 0; ids.length > 0 && round < maxRounds; round += 1) {
    for (const each of ids) requested.add(each);
    const replies = await platform.callEach(services, explain, { ids });
    const related = new Set<string>();
    for (const { service, output, error } of replies) {
      if (error !== undefined) unreachable.set(service, error);
      for (const fact of output?.facts ?? []) facts.set(`${fact.at} ${fact.sentence}`, { service, ...fact });
      for (const other of output?.also ?? []) if (!requested.has(other)) related.add(other);
    }
    ids = [...related].slice(0, maxIds);
  }
  return {
    facts: [...facts.values()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    unreachable: [...unreachable].map(([service, error]) => ({ service, error })),
  };
}

/**
 * An id as it was quoted, and as it is stored where people change its case: order numbers and codes are upper case, UUIDs and traces lower
 * case. The payment provider's ids have both, and are taken as they are.
 */
const spellingsOf = (id: string): string[] => (/^[a-z]+_/.test(id) ? [id] : [...new Set([id, id.toUpperCase(), id.toLowerCase()])]);
