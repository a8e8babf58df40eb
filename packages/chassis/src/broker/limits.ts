import { JetStreamApiError } from '@nats-io/jetstream';
import { TimeoutError } from '@nats-io/transport-node';
import { redactedMessage } from '../errors/describe-error.ts';

const raise = (shown: string): string =>
  `Raise it in the account's limits (the server's configuration, or the account's JWT), or delete what is not needed: \`${shown}\` shows it.`;

/** Refusals by a limit of the account, the server or the cluster: code of the JetStream API → which limit, and what to do. */
const limits: Readonly<Record<number, string>> = {
  10002: `the account's storage is used up. ${raise('nats stream report')}`,
  10005: 'no server of the cluster fits: fewer servers run than NATS_REPLICAS asks for, or none has room. Start the missing servers.',
  10008: 'the cluster has no leader at this moment. It needs more than half of its servers: start those that are down.',
  10023:
    'the servers have not enough room for it. Give JetStream more storage (max_file_store; without it, three quarters of what is free when the ' +
    'server starts: free space and restart it), or lower NATS_REPLICAS.',
  10026: `the account's maximum number of consumers of a stream is reached. ${raise('nats account info')}`,
  10027: `the account's maximum number of streams is reached. ${raise('nats account info')}`,
  10028: `the memory of the account or the server is used up. ${raise('nats account info')}`,
  10039: 'the account of this login has no JetStream. Enable it for the account.',
  10047: `the storage of the account or the server is used up. ${raise('nats stream report')}`,
  10054: 'the event is larger than the stream allows. Raise it: nats stream edit STREAM --max-msg-size=-1',
  10065: 'another stream takes subjects of this one. Find it (`nats stream find --subject=SUBJECT`) and take them from it.',
  10074: 'the server is in no cluster, so it keeps no second copy. Unset NATS_REPLICAS, or name the servers of a cluster.',
  10077: 'the stream is full: its own limit of bytes or messages is reached. Raise it: nats stream edit STREAM --max-bytes=… --max-msgs=…',
  10113: 'the account demands a maximum of bytes for every stream. Create the stream with one (nats stream add), with --discard=new.',
  10122: "the stream may take more bytes than the account allows one stream. Raise the account's limit of a stream's bytes.",
};

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
  for (let fault = error; Error.isError(fault); fault = fault.cause) {
    const limit = fault instanceof JetStreamApiError ? limits[fault.code] : undefined;
    if (limit) return `the broker refuses: ${limit}`;
  }
  return Error.isError(error) ? redactedMessage(error) : 'a value that is not an error was thrown';
}
