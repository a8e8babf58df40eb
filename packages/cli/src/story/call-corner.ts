import { randomBytes } from 'node:crypto';
import { type CornerClient, CornerError, createClient, type Reply } from '@corner/client';
import { Failure } from '../failure.ts';
import type { Called } from './http-call.ts';
import type { Stage } from './stage.ts';

/**
 * Calls Corner as whoever holds the token, continuing the story's trace; what is in passing trouble is asked again. A
 * refusal is what came of the call; throws a {@link Failure} when nobody answers.
 */
export async function callCorner<T>(
  { gateway, traceId }: Pick<Stage, 'gateway' | 'traceId'>,
  token: string,
  ask: (corner: CornerClient) => Promise<Reply<T>>,
): Promise<Called<T>> {
  const began = performance.now();
  let call = '';
  const corner = createClient({
    baseUrl: gateway,
    token,
    traceparent: () => `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
    async fetch(request) {
      call = `${request.method} ${new URL(request.url).pathname}`;
      return await fetch(request);
    },
  });
  const called = (status: number) => ({ call, status, ms: performance.now() - began });
  try {
    const { data, response } = await ask(corner);
    return { ...called(response.status), value: data };
  } catch (error) {
    if (!(error instanceof CornerError)) throw error;
    if (error.code === 'UNREACHABLE')
      throw new Failure('the gateway does not answer', `no whole answer came from ${gateway}`, 'npx corner status', { cause: error });
    const { code, message, requestId, status } = error;
    return { ...called(status), refusal: [code, message, requestId ? `(request ${requestId})` : ''].filter(Boolean).join(' ') };
  }
}
