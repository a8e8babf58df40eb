import { relative } from 'node:path';

interface Results {
  readonly testResults: readonly { readonly testFilePath: string; readonly perfStats: { readonly runtime: number } }[];
}

const shown = 20;

export default class SlowestFiles {
  readonly #rootDir: string;

  constructor({ rootDir }: { readonly rootDir: string }) {
    this.#rootDir = rootDir;
  }

  onRunComplete(_contexts: unknown, { testResults }: Results): void {
    if (testResults.length <= shown) return;
    const slowest = testResults.toSorted((a, b) => b.perfStats.runtime - a.perfStats.runtime).slice(0, shown);
    const lines = slowest.map(({ testFilePath, perfStats }) => `${seconds(perfStats.runtime)}  ${relative(this.#rootDir, testFilePath)}`);
    process.stderr.write(`\nThe slowest ${shown} files:\n${lines.join('\n')}\n`);
  }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1).padStart(7)} s`;
