import { setTimeout as pause } from 'node:timers/promises';
import type { ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';
import { isMissing, isStoreDamaged } from './refusals.ts';
import { newConsumer, unfitConsumer } from './wanted.ts';

/**
 * Milliseconds without a reply, or without a delivery while messages wait, until a consumer is made again. Longer than an election takes.
 */
const stuckMs = 20_000;
/** Milliseconds between two checks of a consumer that seems ahead of its stream: in a cluster two servers reply. */
const aheadMs = 1_000;

export interface ConsumerWatch {
  badSince: number | null;
  delivered: number;
}

export const newWatch = (): ConsumerWatch => ({ badSince: null, delivered: -1 });

interface Place {
  readonly stream: string;
  readonly service: string;
  readonly isNew: boolean;
}

/**
 * Makes a service's durable consumer of a stream when missing, and again when it cannot work: ahead of its stream, silent, stuck or with
 * other settings. Loses no event, since the service reads missed events by number. Returns a sentence; null when nothing changed.
 */
export async function ensureConsumer(jsm: JetStreamManager, place: Place, watch: ConsumerWatch, afterMs = stuckMs): Promise<string | null> {
  const { stream, service } = place;
  const name = `the consumer ${service} of ${stream}`;
  const info = await look(jsm, place, watch, afterMs);
  if (info === 'missing') {
    await create(jsm, place);
    return `made ${name}`;
  }
  const why =
    info === 'silent'
      ? 'it did not answer'
      : (unfitConsumer(info.config) ?? (await ahead(jsm, place, info)) ?? stuck(info, watch, afterMs));
  if (why === null) return null;
  // A cluster deletes a consumer that has no leader, and does not reply.
  await jsm.consumers.delete(stream, service).catch((error: unknown) => {
    if (info !== 'silent' && !isMissing(error)) throw error;
  });
  await create(jsm, place);
  Object.assign(watch, newWatch());
  return `made ${name} again: ${why}`;
}

/** Returns `silent` once the consumer has not replied for long. Throws before that. */
async function look(jsm: JetStreamManager, { stream, service }: Place, watch: ConsumerWatch, afterMs: number) {
  try {
    const info = await jsm.consumers.info(stream, service);
    if (info.delivered.consumer_seq !== watch.delivered || !waits(info)) watch.badSince = null;
    watch.delivered = info.delivered.consumer_seq;
    return info;
  } catch (error) {
    if (isMissing(error)) return 'missing';
    if (hasLasted(watch, afterMs)) return 'silent';
    throw error;
  }
}

const waits = ({ num_pending, num_waiting, num_ack_pending, config }: ConsumerInfo): boolean =>
  num_pending > 0 && num_waiting > 0 && num_ack_pending < (config.max_ack_pending ?? Number.POSITIVE_INFINITY);

const stuck = (info: ConsumerInfo, watch: ConsumerWatch, afterMs: number): string | null =>
  waits(info) && hasLasted(watch, afterMs) ? 'events waited and it delivered none of them' : null;

function hasLasted(watch: ConsumerWatch, afterMs: number): boolean {
  watch.badSince ??= performance.now();
  return performance.now() - watch.badSince >= afterMs;
}

async function ahead(jsm: JetStreamManager, { stream }: Place, { delivered, ack_floor }: ConsumerInfo): Promise<string | null> {
  const passed = Math.max(delivered.stream_seq, ack_floor.stream_seq);
  const isAhead = async () => passed > (await jsm.streams.info(stream)).state.last_seq;
  if (!(await isAhead())) return null;
  await pause(aheadMs);
  return (await isAhead()) ? `it stood at ${passed}, behind the end of the stream` : null;
}

async function create(jsm: JetStreamManager, { stream, service, isNew }: Place): Promise<void> {
  const config = newConsumer(service, isNew, new Date());
  try {
    await jsm.consumers.add(stream, config).catch((error: unknown) => {
      if (!isStoreDamaged(error)) throw error;
      // Newer servers refuse this name while files of a consumer that a power cut damaged remain. Kept in memory, it needs no file.
      return jsm.consumers.add(stream, { ...config, mem_storage: true });
    });
  } catch (error) {
    // Another process may have created it in the meantime: two creations differ by the time from which they deliver.
    await jsm.consumers.info(stream, service).catch(() => {
      throw error;
    });
  }
}
