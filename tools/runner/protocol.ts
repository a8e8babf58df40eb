export interface Task {
  readonly path: string;
  readonly globalConfig: object;
  readonly projectConfig: { readonly testRunner: string };
}

/** A worker's message: something with a time-out began, or a file ended. */
export type Answer = { readonly due: number } | Ended;

/** The end of a file: its tests' results, or the reason why there are none. */
export type Ended = { readonly result: TestFileResult } | { readonly error: FileError };

export interface TestFileResult {
  readonly testResults: readonly { readonly status: string }[];
  readonly numFailingTests: number;
  /** An error outside the tests, of an afterAll for example. */
  readonly testExecError?: unknown;
  readonly failureMessage?: string | null;
  readonly perfStats: object;
  readonly [more: string]: unknown;
}

interface FileError {
  readonly message: string;
  readonly stack: string;
  readonly type: string;
}
