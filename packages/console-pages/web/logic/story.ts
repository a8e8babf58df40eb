import type { Story } from '@corner/console-api';
import { instant } from './format.ts';

export type StoryFact = Story['facts'][number];

export interface Line extends StoryFact {
  readonly key: string;
  readonly afterMs: number;
  readonly day: string | undefined;
}

export function linesOf(facts: readonly StoryFact[], zone?: string): Line[] {
  let before = Number.NaN;
  let day = '';
  return facts.map((fact, index) => {
    const now = Date.parse(fact.at);
    const today = instant(fact.at, 'day', undefined, zone);
    const line = { ...fact, key: String(index), afterMs: Number.isNaN(before) ? 0 : now - before, day: today === day ? undefined : today };
    before = now;
    day = today;
    return line;
  });
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function orderOf({ id, facts }: Pick<Story, 'id' | 'facts'>): string | undefined {
  const counts = new Map<string, number>();
  for (const { of } of facts) if (of !== null && uuid.test(of)) counts.set(of, (counts.get(of) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? (uuid.test(id) ? id : undefined);
}

export const servicesOf = (facts: readonly StoryFact[]): string[] => [...new Set(facts.map(({ service }) => service))];
