import { JetStreamApiError } from '@nats-io/jetstream';

const raise = (shown: string): string =>
  `Raise it in the account's limits (the server's configuration, or the account's JWT), or delete what is not needed: \`${shown}\` shows it.`;

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

/** Describes a refusal by a limit of the broker, and its remedy. Null for any other fault. */
export function describeRefusal(error: unknown): string | null {
  for (let fault = error; Error.isError(fault); fault = fault.cause) {
    const limit = fault instanceof JetStreamApiError ? limits[fault.code] : undefined;
    if (limit) return `the broker refuses: ${limit}`;
  }
  return null;
}

/** No such stream (10059) or consumer (10014). */
export const isMissing = (error: unknown): boolean => error instanceof JetStreamApiError && [10_059, 10_014].includes(error.code);

export const isStoreDamaged = (error: unknown): boolean => error instanceof JetStreamApiError && error.code === 10_104;

export const isNoMessage = (error: unknown): boolean => error instanceof JetStreamApiError && error.code === 10_037;
