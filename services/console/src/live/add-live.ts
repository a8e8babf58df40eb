import { noteStream } from '@corner/chassis/edge';
import { Problem } from '@corner/contracts';
import type { Response } from 'express';
import { z } from 'zod';
import type { Api } from '../http/api.ts';
import { anyone } from '../http/api.ts';
import { Id, operator, parsed, requireStore } from '../http/guards.ts';
import type { ChangeMemory } from './change-memory.ts';
import { sendChanges } from './send-changes.ts';

const perPerson = 20;
const inAll = 2_000;
/** Milliseconds after which a browser reconnects, to another replica or to this one after its restart. */
const retryMs = 500;
const longestTimer = 2 ** 31 - 1;

const Query = z.object({ store_id: Id.optional() });

/**
 * Adds `GET /api/live`: server-sent events of changes. An event's id is the positions in all streams, so a browser that reconnects to any
 * replica misses nothing, or gets a reset and reads everything again.
 */
export function addLive(api: Api, { memory, now, stopping }: LiveOptions): void {
  const open = new Map<string, number>();
  let count = 0;

  api.handle('/api/live', anyone, async (asked) => {
    const { person, request, response } = asked;
    const { store_id } = parsed(Query, request.query);
    if (person.kind === 'operator') operator('operator:read')(asked);
    else if (store_id === undefined) operator('operator:read')(asked);
    else requireStore(person, store_id);
    const mine = open.get(person.subject) ?? 0;
    if (mine >= perPerson || count >= inAll)
      throw new Problem('RATE_LIMITED', { message: 'Too many streams are open: close one first.', retryAfterSeconds: 5 });
    open.set(person.subject, mine + 1);
    count += 1;
    response.once('close', () => {
      count -= 1;
      const left = (open.get(person.subject) ?? 1) - 1;
      if (left > 0) open.set(person.subject, left);
      else open.delete(person.subject);
    });
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    response.write(`retry: ${retryMs}\n\n`);
    noteStream(response);
    const endsInMs = Math.min(Math.max(0, person.expiresAt.getTime() - now().getTime()), longestTimer);
    const ends = [closedOf(response), stopping, person.untilRevoked(response), AbortSignal.timeout(Math.ceil(endsInMs))];
    const ended = AbortSignal.any(ends);
    await sendChanges({ memory, response, storeId: store_id, from: request.get('last-event-id'), ended });
  });
}

function closedOf(response: Response): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}

interface LiveOptions {
  readonly memory: ChangeMemory;
  readonly now: () => Date;
  readonly stopping: AbortSignal;
}
