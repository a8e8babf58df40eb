import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';

export interface FailedTest {
  readonly suite: string;
  readonly test: string;
}

export interface SuitesRun {
  readonly failed: readonly FailedTest[];
  /** The files that ran to their end, with or without failed tests. */
  readonly ran: readonly string[];
}

interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

export function runSuites(copy: string, tests: readonly string[], environment: Readonly<Record<string, string>> = {}): SuitesRun {
  const outputFile = join(copy, 'mutants-report.json');
  rmSync(outputFile, { force: true });
  // Without --bail, by which jest ends before it has written its report. With a fault many tests of a file may wait in vain.
  const jest = ['node_modules/jest/bin/jest.js', '--json', `--outputFile=${outputFile}`, '--testTimeout=45000', ...tests];
  const { stderr } = spawnSync(process.execPath, jest, {
    cwd: copy,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    timeout: 3_600_000,
    maxBuffer: 1 << 28,
  });
  if (!existsSync(outputFile)) throw new Error(`jest reported nothing:\n${stderr}`);
  const { testResults }: JestReport = JSON.parse(readFileSync(outputFile, 'utf8'));
  const results = testResults.map((result) => ({ ...result, suite: relative(copy, result.name) }));
  return {
    failed: results.flatMap(({ suite, ...result }) => namesOfFailed(result).map((test) => ({ suite, test }))),
    ran: results.filter(({ assertionResults }) => assertionResults.length > 0).map(({ suite }) => suite),
  };
}

/** The failed tests of a file; if all passed and the file failed at its end, the first line of the reason. */
function namesOfFailed({ status, message, assertionResults }: Omit<JestReport['testResults'][number], 'name'>): readonly string[] {
  const failed = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
  if (failed.length > 0 || status !== 'failed' || assertionResults.length === 0) return failed;
  const why = message.split('\n').map((line) => line.trim());
  return [`after the last test: ${why.find((line) => line !== '' && !line.startsWith('●')) ?? 'an error'}`];
}

/** Copies the sources and links to the installed packages. Links inside node_modules folders are relative, so they lead into the copy. */
export function copyOfRepository(checkout: string): string {
  mkdirSync(join(checkout, '.corner'), { recursive: true });
  const copy = mkdtempSync(join(checkout, '.corner/mutant-'));
  for (const name of readdirSync(checkout)) {
    if (['.git', '.corner', 'node_modules'].includes(name)) continue;
    cpSync(join(checkout, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  }
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
