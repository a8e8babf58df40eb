/** A fault to plant in a source file, and the tests that must fail with it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** The text to replace. The file contains it exactly once. */
  readonly find: string;
  readonly plant: string;
  /** Parts of the paths of test files, as jest takes them. */
  readonly tests: readonly string[];
}
