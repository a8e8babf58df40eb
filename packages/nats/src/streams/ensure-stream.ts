import { JetStreamApiError, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream';
import { describeRefusal, isMissing } from './refusals.ts';
import { describeUnsafeSetting } from './unsafe-setting.ts';
import { changesOf, newStream, type WantedStream } from './wanted.ts';

export interface EnsuredStream {
  readonly info: StreamInfo;
  readonly isNew: boolean;
  readonly done: string | null;
  /** A sentence about a remaining fault, with its remedy; null for none. */
  readonly fault: string | null;
}

/**
 * Makes a missing stream. In an existing one it adds the subject, widens the window of message ids and raises replicas; the directory's
 * also gets its limits. Other settings are the operator's: a dangerous one is named and not changed.
 */
export async function ensureStream(jsm: JetStreamManager, wanted: WantedStream, replicas?: number): Promise<EnsuredStream> {
  const { name } = wanted;
  const found = await findStream(jsm, name);
  if (!found) return { info: await create(jsm, wanted, replicas), isNew: true, done: `made the stream ${name}`, fault: null };
  const changes = changesOf(found.config, wanted, replicas);
  if (Object.keys(changes).length === 0)
    return { info: found, isNew: false, done: null, fault: describeUnsafeSetting(found.config, wanted) };
  try {
    const info = await jsm.streams.update(name, changes);
    const done = `changed the stream ${name}: ${Object.keys(changes).join(', ')}`;
    return { info, isNew: false, done, fault: describeUnsafeSetting(info.config, wanted) };
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error;
    const lacking = Object.entries(changes).map(([setting, value]) => `${setting} ${String(value)}`);
    const fault = `The stream ${name} lacks ${lacking.join(', ')}: ${describeRefusal(error) ?? error.message}`;
    return { info: found, isNew: false, done: null, fault: describeUnsafeSetting(found.config, wanted) ?? fault };
  }
}

async function create(jsm: JetStreamManager, wanted: WantedStream, replicas: number | undefined): Promise<StreamInfo> {
  try {
    return await jsm.streams.add(newStream(wanted, replicas));
  } catch (error) {
    // Another process may have created it in the meantime. NATS 2.9 fails one of two creations at once.
    const created = await findStream(jsm, wanted.name);
    if (created) return created;
    throw error;
  }
}

export async function findStream(jsm: JetStreamManager, name: string): Promise<StreamInfo | null> {
  try {
    return await jsm.streams.info(name);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
