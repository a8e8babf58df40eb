import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { describeBrokerFault } from './limits.ts';

/** Days a stream keeps events. The outbox keeps them at least as long. */
export const retentionDays = 7;

const retention = nanos(retentionDays * 86_400_000);
/** Nanoseconds in which the broker drops a message id that it has seen. */
const duplicateWindow = nanos(3_600_000);

/** A stream exists with settings that could lose events. The message names the setting, the reason and the fix. */
export class UnsafeStream extends Error {}

export interface WantedStream {
  readonly name: string;
  /** The filter of the producer's subjects. */
  readonly subject: string;
  /** Servers that are to keep it; undefined leaves that to the broker and its operator. */
  readonly replicas?: number | undefined;
  /** True for the directory's, whose events are snapshots. */
  readonly snapshots?: boolean;
}

/** Returns a stream's state, and creates the stream when it is missing. Settings of an existing stream stay as they are. */
export async function findOrCreateStream(jsm: JetStreamManager, { name, subject, replicas, snapshots }: WantedStream): Promise<StreamInfo> {
  const found = await find(jsm, name);
  if (found) return found;
  try {
    return await jsm.streams.add({
      name,
      subjects: [subject],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      // Snapshots are complete: the newest of each object is kept for ever, and replaces the one before.
      ...(snapshots ? { max_age: 0, max_msgs_per_subject: 1 } : { max_age: retention }),
      // A full stream refuses new events, which wait in the outbox. It never drops events that no consumer has read yet.
      discard: DiscardPolicy.New,
      duplicate_window: duplicateWindow,
      ...(replicas ? { num_replicas: replicas } : {}),
    });
  } catch (error) {
    // Another process may have created it in the meantime. NATS 2.9 fails one of two creations at once.
    const created = await find(jsm, name);
    if (created) return created;
    throw error;
  }
}

/** A stream that its producer publishes to. */
export interface ClaimedStream {
  readonly info: StreamInfo;
  /** What the broker refused to set, although events can be published without it: a sentence for the operator; null for nothing. */
  readonly shortfall: string | null;
}

/**
 * Returns a stream that its producer publishes to, and creates it when it is missing. The producer's subject is added where it is missing,
 * the window of message ids is widened to an hour, and fewer replicas than wanted are raised. An operator's other settings stay: more
 * replicas, placement, limits, a longer retention. Throws {@link UnsafeStream} when one of them could lose events.
 */
export async function claimStream(jsm: JetStreamManager, wanted: WantedStream): Promise<ClaimedStream> {
  const { name, subject, replicas = 1 } = wanted;
  const info = await findOrCreateStream(jsm, wanted);
  const fault = unsafeSetting(info.config);
  if (fault) throw new UnsafeStream(`The stream ${name} ${fault.why}. ${fixOf(name, fault)}`);
  const { subjects = [], duplicate_window, num_replicas } = info.config;
  const takesSubject = subjects.some((pattern) => covers(pattern, subject));
  if (takesSubject && duplicate_window >= duplicateWindow && num_replicas >= replicas) return { info, shortfall: null };
  try {
    const updated = await jsm.streams.update(name, {
      subjects: takesSubject ? subjects : [...subjects, subject],
      duplicate_window: Math.max(duplicate_window, duplicateWindow),
      num_replicas: Math.max(num_replicas, replicas),
    });
    return { info: updated, shortfall: null };
  } catch (error) {
    // Waiting would help no one: the stream takes events, and what it lacks is mended at any time.
    if (!takesSubject || !(error instanceof JetStreamApiError)) throw error;
    const lacks =
      num_replicas < replicas ? `has ${num_replicas} of ${replicas} replicas` : 'recognises repeated messages for less than an hour';
    return { info, shortfall: `the stream ${name} ${lacks}: ${describeBrokerFault(error)}` };
  }
}

interface UnsafeSetting {
  /** Completes a sentence that begins with the stream's name. */
  readonly why: string;
  /** The option of `nats stream edit` that mends it; null when the broker cannot change the setting of an existing stream. */
  readonly option: string | null;
}

/** Returns the first setting of a stream that could lose events; null when there is none. */
export function unsafeSetting(config: StreamConfig): UnsafeSetting | null {
  if (config.mirror) return { why: 'is a mirror, so nothing can be published to it', option: null };
  if (config.sealed) return { why: 'is sealed, so nothing can be published to it', option: null };
  if (config.no_ack) return { why: 'acknowledges nothing, so a lost event would never be published again', option: '--ack' };
  if (config.retention !== RetentionPolicy.Limits)
    return { why: `has the retention "${config.retention}", so an event is dropped before all services have read it`, option: null };
  if (config.storage !== StorageType.File) return { why: 'is kept in memory, so a restart of the broker loses its events', option: null };
  if (config.discard !== DiscardPolicy.New)
    return { why: 'drops its oldest events when it is full, before all services have read them', option: '--discard=new' };
  if (config.max_msgs_per_subject > 0) return { why: 'keeps only some events of each subject', option: '--max-msgs-per-subject=-1' };
  if (config.max_age > 0 && config.max_age < retention)
    return {
      why: `keeps events for less than ${retentionDays} days, so a service that is away longer misses them`,
      option: `--max-age=${retentionDays}d`,
    };
  return null;
}

const fixOf = (name: string, { option }: UnsafeSetting): string =>
  option
    ? `Run: nats stream edit ${name} ${option}`
    : 'This cannot be changed: delete the stream. The relay creates it again and publishes the events that the outbox keeps.';

/** Whether a pattern of subjects includes all subjects of another one. */
function covers(pattern: string, other: string): boolean {
  const [wide, narrow] = [pattern.split('.'), other.split('.')];
  const isCovered = wide.every((token, index) => {
    if (token === '>') return narrow.length > index;
    return token === narrow[index] || (token === '*' && narrow[index] !== '>' && narrow[index] !== undefined);
  });
  return isCovered && (wide.at(-1) === '>' || wide.length === narrow.length);
}

async function find(jsm: JetStreamManager, name: string): Promise<StreamInfo | null> {
  try {
    return await jsm.streams.info(name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === 10_059) return null; // "stream not found"
    throw error;
  }
}
