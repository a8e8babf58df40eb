import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { currentTestRun } from './test-run.ts';

export interface TestFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * An empty folder of the test's own. Servers may be started on it: should the run be killed, the next run ends those and
 * removes the folder. Disposal removes it.
 */
export async function testFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(currentTestRun().folder, 'folder-'));
  // As root, Postgres runs as another user and has to get in.
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
