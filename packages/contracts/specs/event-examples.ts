import { readFileSync } from 'node:fs';
import type { EventContract } from '../src/index.ts';

/**
 * Events of a real run, by type. The test of the documented examples writes the file (`UPDATE_EXAMPLES=1`) and fails when it sees an event
 * that has no example here.
 */
const examples: Readonly<Record<string, { readonly data: unknown } | undefined>> = JSON.parse(
  readFileSync(`${import.meta.dirname}/event-examples.json`, 'utf8'),
);

/** An event of a type, with its envelope; undefined when none was recorded. */
export const eventExample = ({ type }: EventContract): { readonly data: unknown } | undefined => examples[type];
