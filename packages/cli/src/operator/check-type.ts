import { events } from '@corner/contracts';
import { Failure } from '../screen/failure.ts';

const messageType = 'message';

/**
 * Throws a {@link Failure} for an event type of no contract. Call it when no event was found, since a newer service may have other types.
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
