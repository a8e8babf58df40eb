/** One jest run, as its workers know it: where its servers are and what is in the template. */
export interface TestRun {
  /** Marks everything the run makes: its databases and roles start with `corner_test_<id>_`. */
  readonly id: string;
  /** Holds the run's data; it goes with the run. */
  readonly folder: string;
  /** A superuser's address. */
  readonly postgresUrl: string;
  readonly natsUrl: string;
  /** Services whose schema is in the template database. */
  readonly migrated: readonly string[];
  /** Services whose migrations failed, and why. */
  readonly faults: Readonly<Record<string, string>>;
}

const variable = 'CORNER_TEST_RUN';

/** Leaves the run where jest's workers, started later, find it. */
export function publishTestRun(run: TestRun): void {
  process.env[variable] = JSON.stringify(run);
}

/** The run this test belongs to. Throws where jest's global setup did not run. */
export function currentTestRun(): TestRun {
  const text = process.env[variable];
  if (!text) throw new Error('There are no servers for this test: run it with jest, whose global setup starts them.');
  return JSON.parse(text) as TestRun;
}
