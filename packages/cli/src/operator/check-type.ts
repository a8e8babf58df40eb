import { events } from '@corner/contracts';
import { Failure } from '../screen/failure.ts';

/** The type of the dead letter of a message to a person. */
const messageType = 'message';

/**
 * Throws a {@link Failure} for an event type that no contract has, so that a misspelled type is not taken for one without dead letters. Call it
 * when none was found: a newer service may have dead letters of a type that this command does not know.
 */
export function checkType(type: string | undefined): void {
  const known = [...new Set([...events.map((event) => event.type), messageType])].sort();
  if (type === undefined || known.includes(type)) return;
  throw new Failure(
    `there is no dead letter of the type ${type}`,
    `no event has this type; there are ${known.join(', ')}`,
    'npx corner dead-letters list',
  );
}
