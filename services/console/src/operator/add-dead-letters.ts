import { DeadLetter, DeadLetterResult, DeadLetters, Reason } from '@corner/console-api';
import { discardDeadLetter, retryDeadLetter, services, showDeadLetter } from '@corner/contracts';
import { findDeadLetters, type Platform } from '@corner/operator';
import { z } from 'zod';
import type { Api } from '../http/api.ts';
import { Id, operator, parsed } from '../http/guards.ts';
import { Refused } from '../http/send-problems.ts';
import { maskedDeadLetter, maskNullable } from './mask.ts';

const Service = z.enum(services);
const Flag = z.enum(['true', 'false']).default('false');
const Filter = z.object({ service: Service.optional(), type: z.string().max(100).optional(), settled: Flag });
const One = z.object({ service: Service, event_id: Id });
const path = '/api/operator/dead-letters';

/**
 * Routes for dead letters of all services. For a retry, a discard and a read of an event's values, the service records the subject of the
 * person's token.
 */
export function addDeadLetters(api: Api, platform: Platform): void {
  api.get(path, operator('operator:read'), DeadLetters, async ({ request }) => {
    const { service, type, settled } = parsed(Filter, request.query);
    const filter = { settled: settled === 'true', ...(service ? { service } : {}), ...(type ? { type } : {}) };
    const { deadLetters, unreachable } = await findDeadLetters(platform, filter);
    return { dead_letters: deadLetters.map(maskedDeadLetter), unreachable: [...unreachable] };
  });

  api.get(`${path}/:service/:event_id`, operator('operator:read'), DeadLetter, async (asked) => {
    const { service, event_id } = parsed(One, asked.request.params);
    const payload = parsed(z.object({ payload: Flag }), asked.request.query).payload === 'true';
    if (payload) operator('operator:payload')(asked);
    const { dead_letter } = await platform.call(showDeadLetter(service), { event_id, payload, by: asked.person.subject });
    if (!dead_letter) throw new Refused(404, 'NOT_FOUND', `${service} has no such dead letter.`);
    return { ...maskedDeadLetter(dead_letter), service };
  });

  api.post(`${path}/:service/:event_id/retry`, operator('operator:act'), DeadLetterResult, async ({ request, person }) => {
    const { service, event_id } = parsed(One, request.params);
    const { reason } = parsed(Reason, request.body);
    const { outcome, detail } = await platform.call(retryDeadLetter(service), { event_id, reason, by: person.subject });
    return { outcome, detail: maskNullable(detail) };
  });

  api.post(`${path}/:service/:event_id/discard`, operator('operator:act'), DeadLetterResult, async ({ request, person }) => {
    const { service, event_id } = parsed(One, request.params);
    const { reason } = parsed(Reason, request.body);
    const { outcome, detail } = await platform.call(discardDeadLetter(service), { event_id, reason, by: person.subject });
    return { outcome, detail: maskNullable(detail) };
  });
}
