import { type EventOf, Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database, Queries, Transaction } from '../database/database.ts';
import { notBuilt, type OperationsOf } from '../http/operation.ts';
import { on } from '../inbox/event-handler.ts';
import { publish } from '../outbox/outbox.ts';
import type { Call } from '../rpc/call.ts';
import { handleRpc } from '../rpc/handle-rpc.ts';
import type { ServiceDefinition } from '../service-definition.ts';
import { contracts, double, thingChanged } from './contracts.ts';

/** Doubling this number fails, by a fault. */
export const faulty = 14;

export interface ProducerContext {
  readonly database: Database;
  readonly call: Call;
  readonly afterChange: () => Promise<void>;
}

const Version = z.object({ version: z.number() });

export async function changeAndPublish(tx: Transaction, thingId: string, storeId: string): Promise<number> {
  const { version } = await tx.one(sql.type(Version)`
    insert into thing (id, store_id) values (${thingId}, ${storeId})
    on conflict (id) do update set version = thing.version + 1
    returning version`);
  await publish(tx, thingChanged, { aggregateId: thingId, sequence: version, storeId, data: { thing_id: thingId, version } });
  return version;
}

async function versionOf(queries: Pick<Queries, 'maybeOne'>, thingId: string) {
  const row = await queries.maybeOne(sql.type(Version)`select version from thing where id = ${thingId}`);
  if (!row) throw new Problem('ORDER_NOT_FOUND');
  return { thing_id: thingId, version: row.version };
}

const operations: OperationsOf<typeof contracts, ProducerContext> = {
  async changeThing({ params, body }, { database, afterChange }) {
    if (body.note === 'refuse') throw new Problem('ORDER_NOT_FOUND');
    const version = await database.transaction((tx) => changeAndPublish(tx, params.thingId, body.store_id));
    await afterChange();
    return { thing_id: params.thingId, version, ...(body.note === 'not kept' ? { passing: true } : {}) };
  },
  readThing: ({ params }, { database }) => versionOf(database, params.thingId),
  readVersion: ({ params }, { database }) => versionOf(database, params.thingId),
  raiseVersion: ({ params, body, expectedVersion }, { database }) =>
    database.transaction(async (tx) => {
      const version = await changeAndPublish(tx, params.thingId, body.store_id);
      if (expectedVersion !== null && expectedVersion !== version - 1)
        throw new Problem('VERSION_CONFLICT', { message: `The thing has version ${version - 1} by now.` });
      return { thing_id: params.thingId, version };
    }),
  async greet({ caller, query }) {
    if (query.fail === 'bug') throw new Error('the password is hunter2');
    if (query.fail === 'transient') throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    if (query.fail === 'reply') return { caller: 42 as unknown as string };
    return { caller: caller.type };
  },
  promised: notBuilt,
};

export const producer = (afterChange: () => Promise<void> = async () => {}): ServiceDefinition<ProducerContext> => ({
  name: 'orders',
  contracts,
  operations,
  migrations: `${import.meta.dirname}/migrations/orders`,
  context: ({ database, call }) => ({ database, call, afterChange }),
});

/** `fail` runs at the end of the handler, and may throw. */
export const consumer = (fail: (event: EventOf<typeof thingChanged>) => Promise<void> = async () => {}): ServiceDefinition<Database> => ({
  name: 'loyalty',
  contracts: {},
  operations: {},
  eventHandlers: {
    noteWhenThingChanged: on(thingChanged, async (event: EventOf<typeof thingChanged>, tx) => {
      await tx.query(sql.type(z.object({}))`insert into effect (thing_id, version) values (${event.data.thing_id}, ${event.data.version})`);
      await fail(event);
    }),
  },
  rpcHandlers: {
    double: handleRpc(double, async ({ number }) => {
      if (number === 13) throw new Problem('STAMP_NOT_FOUND', { message: 'no such stamp' });
      if (number === faulty) throw new TypeError('a fault of ours');
      return { doubled: number * 2 };
    }),
  },
  migrations: `${import.meta.dirname}/migrations/loyalty`,
  context: ({ database }) => database,
});
