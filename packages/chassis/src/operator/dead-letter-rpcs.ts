import * as contracts from '@corner/contracts';
import { type DeadLetterOutcome, type DeadLetterSummary, Envelope, Problem, type ServiceName } from '@corner/contracts';
import { z } from 'zod';
import type { Database, Queries } from '../database/database.ts';
import { describeError } from '../errors/describe-error.ts';
import { isTransient } from '../errors/is-transient.ts';
import { handleRpc, type RpcHandler } from '../rpc/handle-rpc.ts';
import { type DeadLetter, readDeadLetters } from './read-dead-letters.ts';
import type { RecordRead, Shown } from './record-read.ts';
import { discardDeadLetter, NotOpen, type RetryOptions, retryDeadLetter } from './settle-dead-letter.ts';

const pageSize = 100;

export function deadLetterRpcs<Context>(
  service: ServiceName,
  options: RetryOptions<Context>,
  recordRead: RecordRead,
): RpcHandler<Context>[] {
  const { database, log } = options;
  const ownTypes = new Set(Object.keys(options.deadLetterHandlers ?? {}));
  return [
    handleRpc(contracts.listDeadLetters(service), async (query) => {
      const deadLetters = await readDeadLetters(database, query, pageSize + 1);
      const page = deadLetters.slice(0, pageSize).map((deadLetter) => summaryOf(deadLetter, ownTypes));
      return { dead_letters: page, more: deadLetters.length > pageSize };
    }),
    handleRpc(contracts.showDeadLetter(service), async ({ event_id, payload, by }) => {
      const deadLetter = await database.transaction(async (tx) => {
        const found = await find(tx, event_id);
        const read = { by: { kind: 'operator', id: by }, what: payload ? 'payload' : 'dead_letter' } as const;
        if (found) await recordRead(tx, { ...read, shown: [shownBy(found)] });
        return found;
      });
      if (!deadLetter) return { dead_letter: null };
      if (payload) log.warn({ event_id, by }, 'the payload of a dead letter was shown');
      const envelope = envelopeOf(deadLetter, ownTypes);
      const { data = null, ...rest } = envelope ?? { data: null };
      return {
        dead_letter: {
          ...summaryOf(deadLetter, ownTypes),
          envelope: envelope === null ? null : rest,
          data_fields: data !== null && typeof data === 'object' ? Object.keys(data) : [],
          payload: payload ? deadLetter.payload : null,
        },
      };
    }),
    handleRpc(contracts.retryDeadLetter(service), async ({ event_id, by, reason }): Promise<DeadLetterOutcome> => {
      try {
        await retryDeadLetter(options, event_id, { by, reason });
      } catch (error) {
        if (error instanceof NotOpen) return await notOpen(database, event_id);
        if (isTransient(error)) throw new Problem('UPSTREAM_UNAVAILABLE', { cause: error });
        log.warn({ event_id, by, err: error }, 'a dead letter was retried and failed again');
        return { outcome: 'failed', detail: describeError(error) };
      }
      log.info({ event_id, by }, 'a dead letter was retried');
      return { outcome: 'retried', detail: null };
    }),
    handleRpc(contracts.discardDeadLetter(service), async ({ event_id, by, reason }): Promise<DeadLetterOutcome> => {
      try {
        await discardDeadLetter(database, event_id, by, reason);
      } catch (error) {
        if (error instanceof NotOpen) return await notOpen(database, event_id);
        throw error;
      }
      log.info({ event_id, by }, 'a dead letter was discarded');
      return { outcome: 'discarded', detail: null };
    }),
  ];
}

const find = async (database: Queries, eventId: string): Promise<DeadLetter | null> =>
  (await readDeadLetters(database, { event_id: eventId, settled: true }, 1))[0] ?? null;

/** A dead letter that is not a whole envelope may still name its customer. */
const NamesCustomer = z.object({ customer_id: z.guid(), store_id: z.guid().nullish() });
const Named = z.union([
  z
    .object({ customerid: z.guid(), storeid: z.guid().nullish() })
    .transform((named) => ({ customer_id: named.customerid, store_id: named.storeid })),
  NamesCustomer,
  z.object({ data: NamesCustomer }).transform(({ data }) => data),
]);

function shownBy({ payload }: DeadLetter): Shown {
  try {
    const { customer_id, store_id = null } = Named.parse(JSON.parse(payload));
    return { customer_id, store_id };
  } catch {
    return {};
  }
}

async function notOpen(database: Database, eventId: string): Promise<DeadLetterOutcome> {
  const deadLetter = await find(database, eventId);
  const detail = deadLetter?.settled_at
    ? `${deadLetter.settled_as} by ${deadLetter.settled_by} at ${deadLetter.settled_at}`
    : 'there is no such dead letter here';
  return { outcome: 'not open', detail };
}

const summaryOf = (deadLetter: DeadLetter, ownTypes: ReadonlySet<string>): DeadLetterSummary => {
  const { payload: _, ...rest } = deadLetter;
  return { ...rest, error: rest.error.slice(0, 1_000), aggregate_id: envelopeOf(deadLetter, ownTypes)?.subject ?? null };
};

const OwnPayload = z.looseObject({ subject: z.string() });

/** Returns null when the payload is not an envelope, which may be why the message is a dead letter. `ownTypes` are not events. */
function envelopeOf({ type, payload }: DeadLetter, ownTypes: ReadonlySet<string>): Envelope | z.output<typeof OwnPayload> | null {
  try {
    return (ownTypes.has(type) ? OwnPayload : Envelope).parse(JSON.parse(payload));
  } catch {
    return null;
  }
}
