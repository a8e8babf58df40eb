import { randomBytes } from 'node:crypto';
import { type CornerClient, CornerError, createClient, type Reply } from '@corner/client';
import { Failure } from '../../screen/failure.ts';
import type { CallResult } from './http-call.ts';
import type { StorySetting } from './prepare-story.ts';

export async function callCorner<T>(
  { gateway, traceId }: Pick<StorySetting, 'gateway' | 'traceId'>,
  token: string,
  makeCall: (corner: CornerClient) => Promise<Reply<T>>,
): Promise<CallResult<T>> {
  const startedAt = performance.now();
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
  const resultOf = (status: number) => ({ call, status, ms: performance.now() - startedAt });
  try {
    const { data, response } = await makeCall(corner);
    return { ...resultOf(response.status), value: data };
  } catch (error) {
    if (!(error instanceof CornerError)) throw error;
    if (error.code === 'UNREACHABLE')
      throw new Failure('the gateway does not respond', `no complete response arrived from ${gateway}`, 'npx corner status', {
        cause: error,
      });
    const { code, message, requestId, status } = error;
    return { ...resultOf(status), error: [code, message, requestId ? `(request ${requestId})` : ''].filter(Boolean).join(' ') };
  }
}
