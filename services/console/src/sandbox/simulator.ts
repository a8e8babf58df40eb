import { Problem } from '@corner/contracts';
import { z } from 'zod';

const timeoutMs = 10_000;

const Fault = z.object({ error: z.object({ message: z.string() }) });
const Intents = z.object({ data: z.array(z.object({ id: z.string(), metadata: z.record(z.string(), z.string()) })) });

export interface Simulator {
  /** Uses a control. Throws VALIDATION_FAILED with the simulator's message when it refuses. */
  control(name: string, body: object): Promise<unknown>;
  call(path: string, form?: Readonly<Record<string, string>>): Promise<{ readonly status: number; readonly body: unknown }>;
  intentOf(orderId: string): Promise<string>;
}

export function createSimulator(url: string, key: string): Simulator {
  const send = async (path: string, init: RequestInit): Promise<{ readonly status: number; readonly body: unknown }> => {
    try {
      const response = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(timeoutMs) });
      return { status: response.status, body: await response.json() };
    } catch (cause) {
      throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'The simulator does not respond.', retryAfterSeconds: 2, cause });
    }
  };
  const call: Simulator['call'] = (path, form) => {
    const headers = { authorization: `Bearer ${key}` };
    return send(path, form ? { method: 'POST', headers, body: new URLSearchParams(form) } : { headers });
  };
  return {
    call,
    async control(name, body) {
      const reply = await send(`/_sim/${name}`, { method: 'POST', body: JSON.stringify(body) });
      if (reply.status !== 200) throw new Problem('VALIDATION_FAILED', { message: messageIn(reply.body) });
      return reply.body;
    },
    async intentOf(orderId) {
      const { data } = Intents.parse((await call('/v1/payment_intents?limit=100')).body);
      const intent = data.find(({ metadata }) => metadata.order_id === orderId);
      if (!intent)
        throw new Problem('VALIDATION_FAILED', { message: 'The provider has no payment for this order among the newest hundred.' });
      return intent.id;
    },
  };
}

export const messageIn = (body: unknown): string => Fault.safeParse(body).data?.error.message ?? 'The simulator refused it.';
