/** A jest run as its workers know it: the addresses of its servers and the contents of the template database. */
export interface TestRun {
  /** Distinguishes the run: its databases and roles are named `corner_test_<id>_…`. */
  readonly id: string;
  /** Folder of the run's data, removed at its end. */
  readonly folder: string;
  /** The superuser's address. */
  readonly postgresUrl: string;
  readonly natsUrl: string;
  /** Services whose schema is in the template database. */
  readonly migrated: readonly string[];
  /** Why the migrations of a service failed. */
  readonly faults: Readonly<Record<string, string>>;
}

const variable = 'CORNER_TEST_RUN';

/** Stores the run in the environment, which jest's workers inherit. */
export function publishTestRun(run: TestRun): void {
  process.env[variable] = JSON.stringify(run);
}

/** The run of this test. Throws where jest's global set-up did not run. */
export function currentTestRun(): TestRun {
  const text = process.env[variable];
  if (!text) throw new Error('There are no servers for this test: run it with jest, whose global setup starts them.');
  return JSON.parse(text) as TestRun;
}
