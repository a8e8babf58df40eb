import { readFileSync } from 'node:fs';
import type { ProblemCode } from '../src/index.ts';

/**
 * Responses of a real run, by operation; `*` holds the refusals that are alike for all operations. The tests of the documented examples write
 * the file (`UPDATE_EXAMPLES=1`) and fail when a response no longer has the form it has here.
 */
const examples: Readonly<Record<string, { readonly success?: unknown; readonly problems?: Readonly<Record<string, unknown>> }>> =
  JSON.parse(readFileSync(`${import.meta.dirname}/response-examples.json`, 'utf8'));

/** The response of a successful call; undefined when none was recorded. */
export const successExample = (operation: string): unknown => examples[operation]?.success;

/** The refusal of an operation, or of every operation (`*`), with a code; undefined when none was recorded. */
export const refusalExample = (operation: string, code: ProblemCode): unknown => examples[operation]?.problems?.[code];
