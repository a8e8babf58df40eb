import { availableParallelism } from 'node:os';
import process from 'node:process';

/** Tests wait for servers more than they compute, so there are more of them than cores; each process may take a gigabyte. */
const maxWorkers = Math.max(1, Math.min(Math.round(availableParallelism() * 2.5), Math.floor(process.availableMemory() / 2 ** 30)));

/** What `npm test` leaves to `npm run test:full`: all tests of whole systems but the walks, of which there is one for each promise. */
const leftToTheFullRun = '/(?!walks/)[^/]+/[^/]+\\.system\\.test\\.ts$';
/** What each run leaves out. Without CORNER_TESTS nothing is. */
const leftOut = { quick: [leftToTheFullRun], full: [`^(?!.*${leftToTheFullRun})`] };

export default {
  rootDir: import.meta.dirname,
  testMatch: [
    '<rootDir>/tools/**/*.test.ts',
    '<rootDir>/packages/*/src/**/*.test.ts',
    '<rootDir>/packages/{console-pages,page-kit,shop-pages}/{build,web}/**/*.test.ts',
    '<rootDir>/services/*/src/**/*.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', ...(leftOut[process.env.CORNER_TESTS] ?? [])],
  modulePathIgnorePatterns: ['<rootDir>/.corner/'],
  // Node strips the types itself.
  transform: {},
  runner: '<rootDir>/tools/runner/runner.ts',
  reporters: [
    'default',
    '<rootDir>/tools/runner/slowest-files.ts',
    '<rootDir>/tools/runner/run-cost.ts',
    '<rootDir>/tools/runner/processor-time.ts',
  ],
  globalSetup: '<rootDir>/packages/testkit/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/testkit/src/global-teardown.ts',
  // A test that waits for ever ends here. Several systems and browsers share the processor.
  testTimeout: 600_000,
  maxWorkers,
};
