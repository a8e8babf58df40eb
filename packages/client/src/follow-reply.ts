import { CornerError, parseJson, readError } from './corner-error.ts';
import { blocksOf } from './event-stream.ts';
import { type Attempted, isRetryable, pauseBefore, type RetryDependencies, type RetryLimits, throwIfAborted } from './send-with-retries.ts';

/** The server sends something at least every 15 seconds, so a connection silent for longer is dead, and its data may be stale. */
const silenceMs = 25_000;

/**
 * Yields the reply of a read at once and whenever it has changed. Reconnects after every end of the stream, with the id of the last event,
 * so that no state is yielded twice. Throws a {@link CornerError} when a connection is refused or when `attempts` connections in a row
 * bring nothing, and the signal's reason when the request was aborted.
 */
export async function* followReply(
  { request, operation }: Attempted,
  limits: RetryLimits,
  dependencies: RetryDependencies,
): AsyncGenerator<unknown> {
  let lastId: string | undefined;
  let reconnectMs = 1_000;
  for (let attempt = 1; ; attempt += 1) {
    const connection = openConnection(request, limits.attemptMs);
    let error = new CornerError({ code: 'UNREACHABLE', status: 0, message: 'The stream ended.', operation });
    try {
      const response = await dependencies.fetch(connection.request(lastId));
      if (!response.ok || !response.body || response.headers.get('content-type')?.startsWith('text/event-stream') !== true)
        throw readError(response, await response.text(), operation);
      for await (const { id, data, retryMs } of blocksOf(response.body)) {
        connection.extend(silenceMs);
        attempt = 0;
        reconnectMs = retryMs ?? reconnectMs;
        lastId = id ?? lastId;
        if (data !== undefined) yield parseJson(data);
      }
    } catch (cause) {
      const message = 'The stream broke off.';
      error = cause instanceof CornerError ? cause : new CornerError({ code: 'UNREACHABLE', status: 0, message, operation, cause });
    } finally {
      connection.close();
    }
    throwIfAborted(request.signal);
    if (!isRetryable(error) || attempt >= limits.attempts) throw error;
    // A stream that brought something ends when a process is replaced or a token expires: that is no failure.
    const pauseMs =
      attempt === 0
        ? reconnectMs * (0.5 + dependencies.random() / 2)
        : pauseBefore(attempt, limits.pauseMs, error.retryAfter, dependencies.random);
    if (attempt > 0) dependencies.onRetry({ operation, attempt, pauseMs, error });
    await dependencies.wait(pauseMs, request.signal);
  }
}

function openConnection(original: Request, firstMs: number) {
  const controller = new AbortController();
  const abort = () => controller.abort(original.signal.reason);
  const expire = (ms: number) => setTimeout(() => controller.abort(new Error(`Nothing arrived within ${ms} ms.`)), ms);
  let timer = expire(firstMs);
  original.signal.addEventListener('abort', abort);
  if (original.signal.aborted) abort();
  return {
    request(lastId: string | undefined): Request {
      const request = new Request(original.clone(), { signal: controller.signal });
      if (lastId !== undefined) request.headers.set('Last-Event-ID', lastId);
      return request;
    },
    extend(ms: number): void {
      clearTimeout(timer);
      timer = expire(ms);
    },
    close(): void {
      clearTimeout(timer);
      original.signal.removeEventListener('abort', abort);
      controller.abort();
    },
  };
}
