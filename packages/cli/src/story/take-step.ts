import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type Call, type Called, httpCall } from './http-call.ts';

/** One step as told. */
export interface Step {
  readonly deed: string;
  readonly call: string;
  /** What came of it, in short. */
  readonly answer: string;
  readonly ok: boolean;
  /** What is shown below the step, a line each. */
  readonly lines?: readonly string[];
  readonly traceId: string;
  readonly ms: number;
}

export interface Taken<T> {
  readonly step: Step;
  /** Null when the step was not what it should be. */
  readonly value: T | null;
}

export type Verdict = Pick<Step, 'ok' | 'answer' | 'lines'>;

/** Makes a call and judges its answer. With `patienceMs` a judgement of "not yet" is asked again until then; the time counts. */
export async function take<T>(
  traceId: string,
  deed: string,
  call: Call,
  schema: z.ZodType<T>,
  judge: (answer: T) => Verdict,
  patienceMs = 0,
): Promise<Taken<T>> {
  const began = performance.now();
  for (;;) {
    const called = await httpCall(traceId, call);
    const reply = called.status === 200 ? schema.safeParse(called.body) : null;
    const verdict: Verdict = reply?.success ? judge(reply.data) : { ok: false, answer: refusalIn(called, reply?.error) };
    const spent = performance.now() - began;
    if (verdict.ok || !reply?.success || spent > patienceMs) {
      const step: Step = {
        deed,
        call: `${call.method} ${new URL(call.url).pathname}`,
        answer: `${called.status} ${verdict.answer}`,
        ok: verdict.ok,
        ...(verdict.lines ? { lines: verdict.lines } : {}),
        traceId,
        ms: patienceMs > 0 ? spent : called.ms,
      };
      return { step, value: verdict.ok && reply?.success ? reply.data : null };
    }
    await pause(10);
  }
}

const Refusal = z.object({
  error: z.object({ code: z.string().optional(), message: z.string().optional(), requestId: z.string().optional() }),
});

function refusalIn({ body }: Called, misfit: z.ZodError | undefined): string {
  if (misfit) return `not the answer expected: ${misfit.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`;
  const refusal = Refusal.safeParse(body);
  if (!refusal.success) return 'no answer of ours';
  const { code, message, requestId } = refusal.data.error;
  return [code, message, requestId ? `(request ${requestId})` : ''].filter(Boolean).join(' ');
}
