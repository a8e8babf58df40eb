import { Story } from '@corner/console-api';
import { outsideLink } from '@corner/contracts';
import { findDeadLetters, gatherFacts, type Platform } from '@corner/operator';
import { z } from 'zod';
import type { ConsoleConfig } from '../config.ts';
import type { Api } from '../http/api.ts';
import { operator, parsed } from '../http/guards.ts';
import { maskedDeadLetter, maskText } from './mask.ts';

const Quoted = z.object({ id: z.string().trim().min(1, 'name an id').max(255, 'is too long for an id') });

export function addStories(api: Api, platform: Platform, { TRACE_URL, LOG_URL }: Pick<ConsoleConfig, 'TRACE_URL' | 'LOG_URL'>): void {
  api.get('/api/operator/stories/:id', operator('operator:read'), Story, async ({ request, person }) => {
    const { id } = parsed(Quoted, request.params);
    const [{ facts, unreachable }, { deadLetters }] = await Promise.all([
      gatherFacts(platform, id, person.subject),
      findDeadLetters(platform, {}),
    ]);
    const events = new Set(facts.map(({ event_id }) => event_id));
    const subjects = new Set([id.toLowerCase(), ...facts.map(({ of }) => of)]);
    return {
      id,
      facts: facts.map((fact) => ({
        ...fact,
        sentence: maskText(fact.sentence),
        trace_url: outsideLink(TRACE_URL, fact.trace_id, fact.at),
        log_url: outsideLink(LOG_URL, fact.trace_id, fact.at),
      })),
      unreachable: [...unreachable],
      dead_letters: deadLetters
        .filter(({ event_id, aggregate_id }) => events.has(event_id) || (aggregate_id !== null && subjects.has(aggregate_id)))
        .map(maskedDeadLetter),
    };
  });
}
