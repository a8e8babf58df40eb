import type { DeadLetterOutcome } from '@corner/contracts';
import type { FoundDeadLetter } from '@corner/operator';
import { Failure } from '../screen/failure.ts';
import { green, red, standardOutput } from '../screen/output.ts';

/** Returns whether all outcomes were as expected; that of a service that does not reply is `no reply`. */
export async function settleDeadLetters(
  deadLetters: readonly FoundDeadLetter[],
  expectedOutcome: 'retried' | 'discarded',
  settle: (deadLetter: FoundDeadLetter) => Promise<DeadLetterOutcome>,
  json: boolean,
): Promise<boolean> {
  const output = standardOutput();
  const outcomes = [];
  for (const deadLetter of deadLetters) {
    const { outcome, detail } = await settle(deadLetter).catch((error: unknown) => ({
      outcome: 'no reply' as const,
      detail: error instanceof Failure ? `${error.what}: ${error.why}` : String(error),
    }));
    const { service, event_id, type } = deadLetter;
    outcomes.push({ service, event_id, type, outcome, detail });
    if (json) continue;
    const mark = outcome === expectedOutcome ? green(output, 'ok') : red(output, 'no');
    output.write(`  ${mark}  ${event_id}  ${service}  ${type}  ${outcome}${detail ? `: ${detail}` : ''}\n`);
  }
  if (json) output.json(outcomes);
  return outcomes.every(({ outcome }) => outcome === expectedOutcome);
}

/** A service that did not reply may have more dead letters, so a count would be wrong. Throws a {@link Failure}. */
export function requireAllReplies(unreachable: readonly { readonly service: string; readonly error: string }[]): void {
  if (unreachable.length > 0)
    throw new Failure(
      `nothing was done: ${unreachable.map(({ service }) => service).join(', ')} did not reply`,
      unreachable[0]?.error ?? '',
      'npx corner status, or name the service: --service',
    );
}
