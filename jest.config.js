import { availableParallelism } from 'node:os';
import process from 'node:process';

/** Tests wait for servers more than they compute, so there are more of them than cores; each process may take a gigabyte. */
const maxWorkers = Math.max(1, Math.min(Math.round(availableParallelism() * 2.5), Math.floor(process.availableMemory() / 2 ** 30)));

export default {
  rootDir: import.meta.dirname,
  testMatch: [
    '<rootDir>/tools/**/*.test.ts',
    '<rootDir>/packages/*/src/**/*.test.ts',
    '<rootDir>/packages/console-pages/{build,web}/**/*.test.ts',
    '<rootDir>/services/*/src/**/*.test.ts',
  ],
  modulePathIgnorePatterns: ['<rootDir>/.corner/'],
  // Node strips the types itself.
  transform: {},
  runner: '<rootDir>/tools/runner/runner.ts',
  reporters: ['default', '<rootDir>/tools/runner/slowest-files.ts'],
  globalSetup: '<rootDir>/packages/testkit/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/testkit/src/global-teardown.ts',
  testTimeout: 180_000,
  maxWorkers,
};
