// What a test file gets for @jest/globals: the functions of the jest-circus that runs it. The types are those of the package.
const given = globalThis.cornerTestGlobals as Omit<typeof import('@jest/globals'), 'jest'>;

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = given;
/** Modules are real ones, and clocks are held with the mocks of node:test: what remains is the time-out of a file's tests. */
export const jest = {
  setTimeout: (ms: number) => void Reflect.set(globalThis, Symbol.for('TEST_TIMEOUT_SYMBOL'), ms),
};
