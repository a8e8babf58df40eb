import { consoleUser, numbers } from '@corner/contracts';
import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { covers, retention, retentionDays, type StreamOwner, type WantedStream } from './wanted.ts';

interface UnsafeSetting {
  readonly why: string;
  /** The option of `nats stream edit` that corrects it; null when only a new stream does. */
  readonly option: string | null;
}

/** Returns a setting that could lose events or show them to others, with the command that corrects it; null when there is none. */
export function describeUnsafeSetting(config: StreamConfig, { name, owner, subject }: WantedStream): string | null {
  const fault = losing(config, owner) ?? showing(config, subject);
  if (!fault) return null;
  const fix = fault.option
    ? `Run: nats stream edit ${name} ${fault.option}`
    : 'Delete the stream and run `corner streams`: consumers then read its events from the databases of their producers.';
  return `The stream ${name} ${fault.why}. ${fix}`;
}

function losing(config: StreamConfig, owner: StreamOwner): UnsafeSetting | null {
  if (config.mirror) return { why: 'is a mirror, so nothing can be published to it', option: null };
  if (config.sealed) return { why: 'is sealed, so nothing can be published to it', option: null };
  if (config.no_ack) return { why: 'acknowledges nothing, so a lost event would never be published again', option: '--ack' };
  if (config.retention !== RetentionPolicy.Limits)
    return { why: `has the retention "${config.retention}", so an event is dropped before all services have read it`, option: null };
  if (config.storage !== StorageType.File) return { why: 'is kept in memory, so a restart of the broker loses its events', option: null };
  if (config.discard !== DiscardPolicy.New)
    return { why: 'drops its oldest events when it is full, before all services have read them', option: '--discard=new' };
  if (config.allow_rollup_hdrs) return { why: 'lets a publisher delete the events before its own', option: '--no-allow-rollup' };
  if (owner === consoleUser) return null;
  return numbers(owner) ? losingEvents(config) : losingSnapshots(config);
}

function losingEvents(config: StreamConfig): UnsafeSetting | null {
  if (config.max_msgs_per_subject > 0) return { why: 'keeps only some events of each subject', option: '--max-msgs-per-subject=-1' };
  if (config.max_age > 0 && config.max_age < retention)
    return {
      why: `keeps events for less than ${retentionDays} days, so a service that is away longer reads them from the producer’s database`,
      option: `--max-age=${retentionDays}d`,
    };
  return null;
}

/** The directory publishes each object once: its newest event is all that exists of it. */
const losingSnapshots = (config: StreamConfig): UnsafeSetting | null =>
  config.max_age > 0 ? { why: 'drops objects of the directory that did not change lately', option: '--max-age=0' } : null;

function showing(config: StreamConfig, subject: string): UnsafeSetting | null {
  if (config.sources?.length) return { why: `copies ${config.sources.map((source) => source.name).join(', ')} into itself`, option: null };
  if (config.republish) return { why: `sends its events on to ${config.republish.dest}`, option: null };
  if (config.subject_transform) return { why: 'stores its events under other subjects', option: null };
  const foreign = (config.subjects ?? []).filter((pattern) => !covers(subject, pattern));
  const calls = foreign.filter((pattern) => /^(?:[a-z0-9_]*(?:rpc|operator)|_INBOX|\$JS|\*|>)(?:\.|$)/.test(pattern));
  return calls.length > 0 ? { why: `stores what is sent to ${calls.join(', ')}`, option: `--subjects=${subject}` } : null;
}
