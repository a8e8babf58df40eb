import { mock } from 'node:test';

// A test file's @jest/globals: the functions of the jest-circus that runs it. The types are the package's.
const given = globalThis.cornerTestGlobals as Omit<typeof import('@jest/globals'), 'jest'>;

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = given;
export const jest = {
  setTimeout: (ms: number) => void Reflect.set(globalThis, Symbol.for('TEST_TIMEOUT_SYMBOL'), ms),
  useFakeTimers: () => mock.timers.enable(),
  useRealTimers: () => mock.timers.reset(),
  advanceTimersByTime: (ms: number) => mock.timers.tick(ms),
};
