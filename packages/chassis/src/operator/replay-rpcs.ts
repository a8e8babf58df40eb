import * as contracts from '@corner/contracts';
import { Problem } from '@corner/contracts';
import type { Broker, StoredMessage } from '../broker/broker.ts';
import { isTransient } from '../errors/is-transient.ts';
import { type InboxOptions, type IncomingEvent, parseEnvelope } from '../inbox/incoming-event.ts';
import { handleRpc, type RpcHandler } from '../rpc/handle-rpc.ts';
import { failuresAmong, rangeOf, recordReplay, replayEvent, tallyOf } from './replay.ts';
import { countIn, isWanted, producersOf, readOn, wantedBy } from './replay-range.ts';

const pageSize = 200;
/** A page ends early after this: well within the deadline of the RPC. */
const pageMs = 10_000;

export function replayRpcs<Context>(service: contracts.ServiceName, broker: Broker, options: InboxOptions<Context>): RpcHandler<Context>[] {
  const { database, eventHandlers, log } = options;
  return [
    handleRpc(contracts.countReplay(service), async (range) => {
      checkTimes(range);
      const counts = [];
      for (const [event, names] of wantedBy(eventHandlers, range))
        counts.push({ type: event.type, count: await countIn(broker, event, range), event_handlers: [...names] });
      return { counts };
    }),
    handleRpc(contracts.beginReplay(service), async (replay) => {
      checkTimes(replay);
      wantedBy(eventHandlers, replay);
      log.info({ replay_id: replay.replay_id, by: replay.by, counted: replay.counted }, 'a replay begins');
      return { begun_at: await recordReplay(database, replay) };
    }),
    handleRpc(contracts.replayPage(service), async ({ replay_id, from }) => {
      const range = await rangeOf(database, replay_id);
      const wanted = wantedBy(eventHandlers, range);
      const producers = producersOf(wanted);
      const producer = producers[from.producer];
      const endsAt = performance.now() + pageMs;
      const replayedIds: string[] = [];
      let [sequence, read, isEnd] = [from.sequence, 0, true];
      for await (const message of producer ? readOn(broker, wanted, range, { producer, sequence }) : []) {
        if (read >= pageSize || performance.now() > endsAt) {
          isEnd = false;
          break;
        }
        const incoming = parse(message);
        // A message without an envelope became a dead letter when it arrived, so it cannot be replayed.
        if (incoming && isWanted(wanted, incoming.envelope)) {
          replayedIds.push(incoming.envelope.id);
          await replayEvent(options, { id: replay_id, to: range.to }, incoming).catch((error: unknown) => {
            throw isTransient(error) ? new Problem('UPSTREAM_UNAVAILABLE', { cause: error }) : error;
          });
        }
        [sequence, read] = [message.seq + 1, read + 1];
      }
      const following = from.producer + 1 < producers.length ? { producer: from.producer + 1, sequence: 0 } : null;
      const next = isEnd ? following : { producer: from.producer, sequence };
      return {
        next,
        ...(await tallyOf(database, replay_id, next === null)),
        failures: await failuresAmong(database, replay_id, replayedIds),
      };
    }),
  ];
}

function checkTimes({ since, until }: { readonly since: string; readonly until: string }): void {
  if (Date.parse(since) >= Date.parse(until)) throw new Problem('VALIDATION_FAILED', { message: 'since must come before until' });
}

function parse(message: StoredMessage): IncomingEvent | null {
  try {
    return { envelope: parseEnvelope(message.string()), redelivered: true };
  } catch {
    return null;
  }
}
