import { describeRefusal } from '@corner/nats';
import { JetStreamApiError } from '@nats-io/jetstream';
import { TimeoutError } from '@nats-io/transport-node';
import { redactedMessage } from '../errors/describe-error.ts';

/** The sentences about a broker that stores nothing: it keeps no event until someone has made room and restarted it. */
const storesNothing = {
  off: 'JetStream of NATS is off. NATS switches it off when its disk is full: free space there, then restart NATS. A server that never had it is started with -js.',
  full: 'the disk of NATS is full. Free space there; where events wait on after that, restart NATS.',
  silent:
    'NATS answers, but its JetStream does not. So it is when its disk was full, until it is restarted: free space there, then restart NATS. ' +
    'In a cluster, start the servers that are away.',
};

/** Why something at the broker failed. */
export interface BrokerFault {
  /** For the operator: what it is, and what to do where that is known. */
  readonly sentence: string;
  /** Whether the broker answers and stores nothing, as when its disk is or was full. */
  readonly storesNothing: boolean;
}

/**
 * Finds out why something at the broker failed. A refusal by a limit names the limit and what to do; of a JetStream that kept silent it asks
 * whether the server answers otherwise. Of any other fault it is the message.
 */
export async function findBrokerFault(error: unknown, isSilent: () => Promise<boolean>): Promise<BrokerFault> {
  for (let fault = error; Error.isError(fault); fault = fault.cause) {
    const kind = kindOf(fault);
    if (kind === null || (kind === 'silent' && !(await isSilent()))) continue;
    return { sentence: storesNothing[kind], storesNothing: true };
  }
  return { sentence: describeBrokerFault(error), storesNothing: false };
}

function kindOf(fault: Error): keyof typeof storesNothing | null {
  if (fault instanceof TimeoutError) return 'silent';
  if (fault.name === 'JetStreamNotEnabled') return 'off'; // The library does not export the class.
  if (!(fault instanceof JetStreamApiError)) return null;
  if (fault.code === 10076) return 'off';
  // The code alone is also that of a stream whose own limit is reached.
  return fault.message.includes('no space left on device') ? 'full' : null;
}

/** As {@link findBrokerFault}, from the error alone. */
export function describeBrokerFault(error: unknown): string {
  return describeRefusal(error) ?? (Error.isError(error) ? redactedMessage(error) : 'a value that is not an error was thrown');
}
