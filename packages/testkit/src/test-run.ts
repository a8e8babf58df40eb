import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface TestRun {
  readonly id: string;
  readonly folder: string;
  readonly postgresUrl: string;
  readonly natsUrl: string;
  readonly migrated: readonly string[];
  readonly faults: Readonly<Record<string, string>>;
}

const variable = 'CORNER_TEST_RUN';

export function publishTestRun(run: TestRun): void {
  process.env[variable] = JSON.stringify(run);
}

export function currentTestRun(): TestRun {
  const text = process.env[variable];
  if (!text) throw new Error('There are no servers for this test: run it with jest, whose global setup starts them.');
  return JSON.parse(text) as TestRun;
}

export interface TestFolder extends AsyncDisposable {
  readonly path: string;
}

/** When the run is killed, servers on the folder end, and the next run removes it. */
export async function testFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(currentTestRun().folder, 'folder-'));
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
