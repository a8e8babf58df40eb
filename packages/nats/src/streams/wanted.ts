import { consoleUser, numbers, type Producer, producers, producersFor, services, streamOf, subjectsOf } from '@corner/contracts';
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  ReplayPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { type ConsumerParts, consumersOf } from './consumer-parts.ts';

/** Days a service's stream keeps events. The outbox keeps them at least as long. */
export const retentionDays = 7;

export const retention = nanos(retentionDays * 86_400_000);
/** Hours for which the console's stream keeps ended sessions: longer than a session lasts. */
const hoursOfEndedSessions = 13;
const duplicateWindow = nanos(3_600_000);

/** Milliseconds the broker waits for an acknowledgement before it delivers again. A consumer that still works extends the time. */
const ackWaitMs = 4_000;
/** Milliseconds back from which a consumer of an older stream delivers: its service reads older events from the producer, by number. */
const lookBackMs = 600_000;
/** Nanoseconds after which the consumer of a further part ends when nothing reads it. */
const unreadConsumer = nanos(3_600_000);

export type StreamOwner = Producer | typeof consoleUser;

export interface WantedStream {
  readonly owner: StreamOwner;
  readonly name: string;
  readonly subject: string;
  readonly consumers: readonly string[];
}

export const streamNameOf = (owner: StreamOwner, namespace = ''): string => `${namespace.toUpperCase()}${streamOf(owner)}`;

const owners: readonly StreamOwner[] = [...producers, consoleUser];

export const wantedStreams = (namespace = '', parts: ConsumerParts = {}): WantedStream[] =>
  owners.map((owner) => ({
    owner,
    name: streamNameOf(owner, namespace),
    subject: `${namespace}${subjectsOf(owner)}`,
    consumers: services
      .filter((service) => producersFor(service).some((producer) => producer === owner))
      .flatMap((service) => consumersOf(service, parts)),
  }));

type FixedSettings = Pick<StreamConfig, 'duplicate_window'> & Partial<Pick<StreamConfig, 'max_age' | 'max_msgs_per_subject' | 'discard'>>;

function fixedSettings(owner: StreamOwner): Partial<FixedSettings> {
  if (owner === consoleUser) return { max_age: nanos(hoursOfEndedSessions * 3_600_000) };
  return numbers(owner) ? {} : { max_age: 0, max_msgs_per_subject: 1, discard: DiscardPolicy.New };
}

/**
 * Returns the settings of a stream that need a change. A window of message ids is never narrowed. The directory's stream keeps the newest
 * event of each subject for ever, since it has no outbox.
 */
export function changesOf(config: StreamConfig, { owner, subject }: WantedStream, replicas = 1): Partial<StreamConfig> {
  const { subjects = [], duplicate_window, num_replicas } = config;
  const fixed: FixedSettings = {
    duplicate_window: Math.max(duplicate_window, duplicateWindow),
    ...fixedSettings(owner),
  };
  return {
    ...(subjects.some((pattern) => covers(pattern, subject))
      ? {}
      : { subjects: [...subjects.filter((pattern) => !covers(subject, pattern)), subject] }),
    ...(num_replicas < replicas ? { num_replicas: replicas } : {}),
    ...Object.fromEntries(Object.entries(fixed).filter(([setting, value]) => config[setting as keyof FixedSettings] !== value)),
  };
}

/** `replicas` undefined leaves the number to the broker and its operator. */
export const newStream = (
  { owner, name, subject }: WantedStream,
  replicas?: number,
): Partial<StreamConfig> & { readonly name: string } => ({
  name,
  subjects: [subject],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  max_age: retention,
  // A full stream refuses new events, which wait in the outbox. It never drops events that no consumer has read yet.
  discard: DiscardPolicy.New,
  duplicate_window: duplicateWindow,
  ...fixedSettings(owner),
  ...(replicas ? { num_replicas: replicas } : {}),
});

const consumerSettings = {
  ack_policy: AckPolicy.Explicit,
  replay_policy: ReplayPolicy.Instant,
  ack_wait: nanos(ackWaitMs),
  // The broker never gives up: a poison event becomes a dead letter in Postgres, with its reason.
  max_deliver: -1,
  max_ack_pending: 1_000,
} as const satisfies Partial<ConsumerConfig>;

export const newConsumer = (name: string, ofNewStream: boolean, now: Date): Partial<ConsumerConfig> => ({
  durable_name: name,
  ...consumerSettings,
  // The consumer of a further part ends when nothing reads it; otherwise it would begin far back once something does.
  ...(services.some((service) => service === name) ? {} : { inactive_threshold: unreadConsumer }),
  ...(ofNewStream
    ? { deliver_policy: DeliverPolicy.All }
    : { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(now.getTime() - lookBackMs).toISOString() }),
});

/** Returns why a durable consumer cannot be a service's, as the end of a sentence; null when it can. */
export function unfitConsumer(config: ConsumerConfig): string | null {
  if (config.deliver_subject) return `sends events to ${config.deliver_subject}`;
  if (config.filter_subject || config.filter_subjects?.length) return 'passes over some subjects';
  if (config.ack_policy !== AckPolicy.Explicit) return `has the acknowledgement policy "${config.ack_policy}"`;
  if ((config.max_deliver ?? -1) > 0) return `gives an event up after ${config.max_deliver} deliveries`;
  if (config.replay_policy !== ReplayPolicy.Instant) return 'delivers no faster than events were published';
  return null;
}

export function covers(pattern: string, other: string): boolean {
  const [wide, narrow] = [pattern.split('.'), other.split('.')];
  const isCovered = wide.every((token, index) => {
    if (token === '>') return narrow.length > index;
    return token === narrow[index] || (token === '*' && narrow[index] !== '>' && narrow[index] !== undefined);
  });
  return isCovered && (wide.at(-1) === '>' || wide.length === narrow.length);
}
