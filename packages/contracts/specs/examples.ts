import { readFileSync } from 'node:fs';
import type { Envelope, EventContract, ProblemCode } from '../src/index.ts';

type EventExample = Omit<Envelope, 'data'> & { readonly data: object };

/** Responses, replies and events of real runs. The tests of the documented examples write them (`UPDATE_EXAMPLES=1`). */
export interface Examples {
  /** The response of a successful call, by operation. */
  readonly successes: Readonly<Record<string, unknown>>;
  /** The messages of the refusals with a code; the first is the example of the documents. */
  readonly refusals: Readonly<Record<string, readonly string[]>>;
  /** The output of an RPC, by its name. */
  readonly replies: Readonly<Record<string, object>>;
  /** An event with its envelope, by type. */
  readonly events: Readonly<Record<string, EventExample>>;
}

export const examplesFile = `${import.meta.dirname}/examples.json`;

const { successes, refusals, replies, events } = JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples;

/** The response of a successful call; undefined when none was recorded. */
export const successExample = (operation: string): unknown => successes[operation];

/** The output of an RPC that is not for operators; undefined when none was recorded. */
export const replyExample = (rpc: string): object | undefined => replies[rpc];

/** The message of a refusal with a code; undefined when none was recorded. */
export const refusalMessage = (code: ProblemCode): string | undefined => refusals[code]?.[0];

/** The body of a refusal, with the fields that its code has. */
export const refusalBody = (code: ProblemCode, message: string, requestId: string) => ({
  error: {
    code,
    message,
    requestId,
    ...(withTotal.has(code) ? { total_pence: 290 } : {}),
    ...(code === 'READY_LATER' ? { ready_from: '2026-11-02T12:30:00Z' } : {}),
  },
});

/** The refusals that say what the total is. */
const withTotal: ReadonlySet<ProblemCode> = new Set(['PRICE_CHANGED', 'TENDERS_MISMATCH']);

/** An event of a type, with its envelope; undefined when none was recorded. */
export const eventExample = ({ type }: Pick<EventContract, 'type'>): EventExample | undefined => events[type];
