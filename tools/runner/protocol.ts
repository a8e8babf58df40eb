export interface Task {
  readonly path: string;
  readonly globalConfig: object;
  readonly projectConfig: { readonly testRunner: string };
}

export type Answer = { readonly due: number } | Ended;

export type Ended = { readonly result: TestFileResult } | { readonly error: FileError };

export interface TestFileResult {
  readonly testResults: readonly { readonly status: string }[];
  readonly numFailingTests: number;
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
