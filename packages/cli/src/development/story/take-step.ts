import { setTimeout as pause } from 'node:timers/promises';
import type { CallResult } from './http-call.ts';

export interface Step {
  readonly name: string;
  readonly call: string;
  readonly result: string;
  readonly ok: boolean;
  readonly lines?: readonly string[];
  readonly traceId: string;
  readonly ms: number;
}

export interface StepResult<T> {
  readonly step: Step;
  readonly value: T | null;
}

export type Verdict = Pick<Step, 'ok' | 'result' | 'lines'>;

/**
 * Repeats the call with `timeoutMs` until the check succeeds; the step's time includes the waiting. The value is null when the step failed.
 */
export async function takeStep<T>(
  { traceId, name, timeoutMs = 0 }: { readonly traceId: string; readonly name: string; readonly timeoutMs?: number },
  makeCall: () => Promise<CallResult<T>>,
  check: (value: T) => Verdict,
): Promise<StepResult<T>> {
  const startedAt = performance.now();
  for (;;) {
    const called = await makeCall();
    const succeeded = 'value' in called;
    const { result, ...verdict }: Verdict = succeeded ? check(called.value) : { ok: false, result: called.error };
    const elapsedMs = performance.now() - startedAt;
    if (verdict.ok || !succeeded || elapsedMs > timeoutMs) {
      const { call, status } = called;
      const step: Step = { name, call, result: `${status} ${result}`, ...verdict, traceId, ms: timeoutMs > 0 ? elapsedMs : called.ms };
      return { step, value: verdict.ok && succeeded ? called.value : null };
    }
    await pause(10);
  }
}
