import { basename, relative } from 'node:path';

export interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** Adds the command that plays the failed seeds again: all, if no test of the file ran. */
export function failuresOf({ testResults }: JestReport, checkout: string, seeds: readonly number[]): string[] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed').flatMap(({ title }) => seedOf(title) ?? []);
      const list = (failed.length > 0 ? failed : seeds).join(',');
      return `${relative(checkout, name)} failed: MODEL_SEEDS=${list} npm run jest -- ${basename(name, '.system.test.ts')}`;
    });
}

const seedOf = (title: string): string | undefined => /\(seed (\d+)\)$/.exec(title)?.[1];
