import { setTimeout as pause } from 'node:timers/promises';
import type { Called } from './http-call.ts';

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
  make: () => Promise<Called<T>>,
  judge: (answer: T) => Verdict,
  patienceMs = 0,
): Promise<Taken<T>> {
  const began = performance.now();
  for (;;) {
    const called = await make();
    const answered = 'value' in called;
    const { answer, ...verdict }: Verdict = answered ? judge(called.value) : { ok: false, answer: called.refusal };
    const spent = performance.now() - began;
    if (verdict.ok || !answered || spent > patienceMs) {
      const { call, status } = called;
      const step: Step = { deed, call, answer: `${status} ${answer}`, ...verdict, traceId, ms: patienceMs > 0 ? spent : called.ms };
      return { step, value: verdict.ok && answered ? called.value : null };
    }
    await pause(10);
  }
}
