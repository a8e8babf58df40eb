import { noteStream } from '@corner/chassis/asking';
import { Change } from '@corner/console-api';
import { Problem } from '@corner/contracts';
import type { Response } from 'express';
import { z } from 'zod';
import type { Api } from '../http/api.ts';
import { anyone } from '../http/api.ts';
import { Id, operator, parsed, requireStore } from '../http/guards.ts';
import { type ChangeMemory, idOf, type PlacedChange, type Positions, positionsIn } from './change-memory.ts';

const heartbeatMs = 15_000;
/** Bytes that wait for a browser before it is taken to be too slow: it comes back, and goes on where it was. */
const maxWaiting = 256 * 1024;
/** Streams that one person may have open in one process, and all persons together. */
const perPerson = 20;
const inAll = 2_000;
/** Milliseconds after which a browser comes back to another replica, or to this one after its restart. */
const retryMs = 500;
const longestTimer = 2 ** 31 - 1;

const Query = z.object({ store_id: Id.optional() });

/**
 * Adds `GET /api/live`: server-sent events that say what changed. The id of an event is the positions in all streams, so a browser that comes
 * back to any replica misses nothing, or learns that it must read everything again.
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
    await follow({ memory, response, storeId: store_id, from: request.get('last-event-id'), endsInMs, stopping });
  });
}

interface Following {
  readonly memory: ChangeMemory;
  readonly response: Response;
  readonly storeId: string | undefined;
  /** The id of the last event that the browser got; undefined when it got none. */
  readonly from: string | undefined;
  readonly endsInMs: number;
  readonly stopping: AbortSignal;
}

/** Sends changes until the browser leaves, the session ends or the server stops. */
async function follow({ memory, response, storeId, from, endsInMs, stopping }: Following): Promise<void> {
  const ended = AbortSignal.any([closedOf(response), stopping, AbortSignal.timeout(Math.ceil(endsInMs))]);
  const beat = setInterval(() => response.write(': \n\n'), heartbeatMs).unref();
  try {
    await Promise.race([memory.ready, abortOf(ended)]);
    if (!ended.aborted) {
      using _ = begin(memory, response, storeId, from);
      await abortOf(ended);
    }
  } finally {
    clearInterval(beat);
    response.end();
  }
}

/** Sends what was missed, and follows from then on. */
function begin(memory: ChangeMemory, response: Response, storeId: string | undefined, from: string | undefined): Disposable {
  const asked = from ? positionsIn(from) : null;
  const missed = from ? asked && memory.since(asked) : [];
  const positions: Positions = { ...(asked && missed ? asked : memory.positions) };
  const write = (text: string): void => {
    response.write(text);
    if (response.writableLength > maxWaiting) response.destroy();
  };
  const pass = ({ producer, sequence, change }: PlacedChange): void => {
    positions[producer] = sequence;
    if (storeId === undefined || change.store_id === storeId)
      write(`event: change\nid: ${idOf(positions)}\ndata: ${JSON.stringify(Change.parse(change))}\n\n`);
  };
  const reset = (): void => {
    Object.assign(positions, memory.positions);
    write(`event: reset\nid: ${idOf(positions)}\ndata: {}\n\n`);
  };
  if (!missed) reset();
  else {
    for (const placed of missed) pass(placed);
    // An id without data makes no event, and is what the browser sends when it comes back.
    write(`id: ${idOf(positions)}\n\n`);
  }
  const followed = memory.follow({ changed: pass, reset });
  // A store where nothing happens keeps a recent id as well.
  const remind = setInterval(() => write(`id: ${idOf(positions)}\n\n`), heartbeatMs).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(remind);
      followed[Symbol.dispose]();
    },
  };
}

function closedOf(response: Response): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}

const abortOf = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

interface LiveOptions {
  readonly memory: ChangeMemory;
  readonly now: () => Date;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}
