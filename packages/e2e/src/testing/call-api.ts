import { randomUUID } from 'node:crypto';
import type { RunningSystem } from '@corner/sandbox/system';

export async function callApi(
  { gatewayUrl }: RunningSystem,
  method: string,
  path: string,
  token: string | null,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a body of its own
): Promise<any> {
  const response = await fetch(`${gatewayUrl}/api/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      'if-match': '*',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const reply = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(reply)}`);
  return reply;
}
