import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { currentTestRun } from './test-run.ts';

export interface TestFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * Makes an empty folder for a test. Servers may be started on it: when the run is killed, they end, and the next run removes the
 * folder. Disposal removes it.
 */
export async function testFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(currentTestRun().folder, 'folder-'));
  // When the tests run as root, Postgres runs as another user and must be able to enter.
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
