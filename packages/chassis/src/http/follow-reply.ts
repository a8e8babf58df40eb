import type { FollowedAttributes } from '@corner/contracts';
import type { Response } from 'express';
import { createSignal } from '../async/waiting.ts';
import { etagOf } from './bodies.ts';
import type { LiveStreams, StreamCaller } from './live-streams.ts';
import { noteStream } from './responded.ts';

const retryMs = 2_000;

interface Followable {
  readonly body: string;
  readonly attributes: FollowedAttributes | null;
}

/**
 * Responds with server-sent events: the reply at once, and again whenever it has changed. An event's id is the tag of its body, so
 * Last-Event-ID spares an equal reply. Ends when a reading fails; the client connects again and gets the error. Throws the errors of the
 * first reading, and the problems of {@link LiveStreams}.
 */
export async function followReply({ response, live, caller, lastEventId, read }: Following): Promise<void> {
  const first = await read();
  using stream = live.open(caller);
  const changed = createSignal();
  const ended = AbortSignal.any([stream.stopping, closingOf(response)]);
  ended.addEventListener('abort', changed.raise);
  stream.follow(first.attributes, changed.raise);
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  response.write(`retry: ${retryMs}\n\n`);
  noteStream(response);
  let sent = lastEventId;
  while (!ended.aborted) {
    const change = changed.arm();
    stream.listen();
    const reply = await read().catch(() => null);
    if (!reply || ended.aborted) break;
    stream.follow(reply.attributes, changed.raise);
    const id = etagOf(reply.body).slice(1, -1);
    // A slow reader gets the newest state once it has taken the data written before.
    if (!response.writableNeedDrain) {
      response.write(id === sent ? ':\n\n' : `id: ${id}\ndata: ${reply.body}\n\n`);
      sent = id;
    }
    await change(stream.readAgainMs);
  }
  response.end();
}

export interface Following {
  readonly response: Response;
  readonly live: LiveStreams;
  readonly caller: StreamCaller;
  readonly lastEventId: string | undefined;
  /** Reads the current reply. Checks the caller each time, so that a stream does not outlive its token. */
  readonly read: () => Promise<Followable>;
}

function closingOf(response: Response): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}
