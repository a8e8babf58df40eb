import { explain, type Fact, type ServiceName, services } from '@corner/contracts';
import type { Services } from './reach-services.ts';

export interface OutboxEntry extends Fact {
  readonly service: string;
}

export interface Story {
  /** In order of time. */
  readonly facts: readonly OutboxEntry[];
  readonly silent: readonly { readonly service: ServiceName; readonly why: string }[];
}

/** Rounds of asking: what an order told, who heard it, what they told in turn, and who heard that. */
const rounds = 4;
const mostIds = 500;

/** Asks every service what it knows under an id, and under the ids that come up, until nothing new does. */
export async function gatherStory(platform: Services, id: string): Promise<Story> {
  const facts = new Map<string, OutboxEntry>();
  const silent = new Map<ServiceName, string>();
  const asked = new Set<string>();
  for (let ids = [id], round = 0; ids.length > 0 && round < rounds; round += 1) {
    for (const each of ids) asked.add(each);
    const said = await platform.callEach(services, explain, { ids });
    const found = new Set<string>();
    for (const { service, answer, fault } of said) {
      if (fault !== undefined) silent.set(service, fault);
      for (const fact of answer?.facts ?? []) facts.set(`${fact.at} ${fact.sentence}`, { service, ...fact });
      for (const other of answer?.also ?? []) if (!asked.has(other)) found.add(other);
    }
    ids = [...found].slice(0, mostIds);
  }
  return {
    facts: [...facts.values()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    silent: [...silent].map(([service, why]) => ({ service, why })),
  };
}
