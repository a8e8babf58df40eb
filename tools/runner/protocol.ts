/** What a worker needs of jest to run a file. */
export interface Task {
  readonly path: string;
  readonly globalConfig: object;
  readonly projectConfig: { readonly testRunner: string };
}

/** What a worker says: that something began which has so many milliseconds, or how a file ended. */
export type Answer = { readonly due: number } | Ended;

/** How a file ended: with its tests' results, or with the reason why there are none. */
export type Ended = { readonly result: TestFileResult } | { readonly error: FileError };

/** jest's result of a test file, as far as it is looked at here. */
export interface TestFileResult {
  readonly testResults: readonly { readonly status: string }[];
  readonly perfStats: object;
  readonly [more: string]: unknown;
}

/** Why a test file has no result, as jest prints it. */
export interface FileError {
  readonly message: string;
  readonly stack: string;
  readonly type: string;
}
