import type { DeadLetterOutcome } from '@corner/contracts';
import { Failure } from '../failure.ts';
import { green, red, standardOutput } from '../output.ts';
import type { Found } from './find-dead-letters.ts';

/**
 * Does something to each letter, one after another, and tells what became of each. Resolves to whether all went as wished; a
 * service that falls silent is told as a failure of that letter, and the others go on.
 */
export async function settleDeadLetters(
  deadLetters: readonly Found[],
  wish: 'retried' | 'discarded',
  settle: (deadLetter: Found) => Promise<DeadLetterOutcome>,
  json: boolean,
): Promise<boolean> {
  const output = standardOutput();
  const outcomes = [];
  for (const deadLetter of deadLetters) {
    const { outcome, detail } = await settle(deadLetter).catch((error: unknown) => ({
      outcome: 'no answer' as const,
      detail: error instanceof Failure ? `${error.what}: ${error.why}` : String(error),
    }));
    const { service, event_id, type } = deadLetter;
    outcomes.push({ service, event_id, type, outcome, detail });
    if (json) continue;
    const mark = outcome === wish ? green(output, 'ok') : red(output, 'no');
    output.write(`  ${mark}  ${event_id}  ${service}  ${type}  ${outcome}${detail ? `: ${detail}` : ''}\n`);
  }
  if (json) output.json(outcomes);
  return outcomes.every(({ outcome }) => outcome === wish);
}

/** Throws when a service that may have more did not answer: a count without it would be wrong. */
export function allAnswered(silent: readonly { readonly service: string; readonly why: string }[]): void {
  if (silent.length > 0)
    throw new Failure(
      `nothing was done: ${silent.map(({ service }) => service).join(', ')} did not answer`,
      silent[0]?.why ?? '',
      'npx corner status, or name the service: --service',
    );
}
