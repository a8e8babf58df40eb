import { describeRefusal } from '@corner/nats';
import { JetStreamApiError } from '@nats-io/jetstream';
import { TimeoutError } from '@nats-io/transport-node';
import { redactedMessage } from '../errors/describe-error.ts';

/** The broker keeps no event until its disk has room and it was restarted. */
const storesNothing = {
  off: 'JetStream of NATS is off. NATS switches it off when its disk is full: free space there, then restart NATS. A server that never had it is started with -js.',
  full: 'the disk of NATS is full. Free space there; where events wait on after that, restart NATS.',
  silent:
    'NATS answers, but its JetStream does not. So it is when its disk was full, until it is restarted: free space there, then restart NATS. ' +
    'In a cluster, start the servers that are away.',
};

export interface BrokerFault {
  readonly sentence: string;
  readonly storesNothing: boolean;
}

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
  // A stream at its own limit has the same code.
  return fault.message.includes('no space left on device') ? 'full' : null;
}

function describeBrokerFault(error: unknown): string {
  return describeRefusal(error) ?? (Error.isError(error) ? redactedMessage(error) : 'a value that is not an error was thrown');
}
