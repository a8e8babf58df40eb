import { describeRefusal } from '@corner/nats';
import { redactedMessage } from '../errors/describe-error.ts';

/**
 * Describes why something at the broker failed, for its operator. A refusal by a limit names the limit and what to do; of any other fault it
 * is the message.
 */
export function describeBrokerFault(error: unknown): string {
  return describeRefusal(error) ?? (Error.isError(error) ? redactedMessage(error) : 'a value that is not an error was thrown');
}
