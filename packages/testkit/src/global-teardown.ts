import { readdir } from 'node:fs/promises';
import { unplannedNames } from './plans/unplanned-names.ts';
import { currentTestRun } from './test-run.ts';

interface Selection {
  readonly testPathPatterns: { readonly patterns: readonly string[] };
  readonly testNamePattern?: string | undefined;
  readonly onlyChanged: boolean;
}

/**
 * Stops everything that the global set-up started. After a run of all quick tests it throws when a prepared statement was never planned,
 * since no test would notice that it reads a whole table.
 */
export default async function tearDown({ testPathPatterns, testNamePattern, onlyChanged }: Selection): Promise<void> {
  const isWhole = process.env.CORNER_TESTS !== 'full' && testPathPatterns.patterns.length === 0 && !testNamePattern && !onlyChanged;
  const planned = isWhole ? await readdir(`${currentTestRun().folder}/planned`).catch(() => []) : [];
  await globalThis.cornerTestTeardown?.();
  const unplanned = isWhole ? await unplannedNames(planned) : [];
  if (unplanned.length > 0) throw new Error(`No test sends these prepared statements through a test service:\n${unplanned.join('\n')}`);
}
