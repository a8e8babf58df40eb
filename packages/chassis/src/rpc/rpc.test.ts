import { everyReplicaSubject, rpcSubject } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createInbox } from '@nats-io/transport-node';
import type { Database } from '../database/database.ts';
import type { RunningService } from '../service.ts';
import { double } from '../testing/contracts.ts';
import { type Platform, preparePlatform } from '../testing/platform.ts';
import { consumer, faulty, type ProducerContext, producer } from '../testing/services.ts';
import { RpcUnavailable } from './call.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let loyalty: RunningService<Database>;

beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start(producer());
  loyalty = await platform.start(consumer());
  await orders.backbone;
  await untilSubscribed();
});

/** The server knows loyalty's subscriptions once the flush returns. */
const untilSubscribed = async () => await (await loyalty.backbone).broker.connection.flush();

afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await loyalty[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

describe('an RPC', () => {
  test('returns the output of the other service', async () => {
    expect(await orders.context.call(double, { number: 21 })).toEqual({ doubled: 42 });
  });

  test('throws the problem that the other service refused it with', async () => {
    await expect(orders.context.call(double, { number: 13 })).rejects.toMatchObject({ code: 'STAMP_NOT_FOUND', message: 'no such stamp' });
  });

  test('throws RpcUnavailable within its deadline when no service replies', async () => {
    await loyalty[Symbol.asyncDispose]();
    await expect(orders.context.call(double, { number: 1 })).rejects.toThrow(RpcUnavailable);
    loyalty = await platform.start(consumer());
    await untilSubscribed();
  });
  test('reaches a replica that replies, although NATS hands it to one that is dead', async () => {
    const { broker } = await orders.backbone;
    let lost = 0;
    // Stands for a connection that died without closing: NATS still chooses it.
    const dead = broker.connection.subscribe(broker.subject(rpcSubject(double)), { queue: 'loyalty', callback: () => void lost++ });
    await broker.connection.flush();
    while (lost === 0) expect(await orders.context.call({ ...double, deadlineMs: 4_000 }, { number: 21 })).toEqual({ doubled: 42 });
    dead.unsubscribe();
  });

  test('takes the reply of a replica that is still processing it, although another one fails at once', async () => {
    await loyalty[Symbol.asyncDispose]();
    const { broker } = await orders.backbone;
    const failed = Promise.withResolvers<void>();
    const slow = broker.connection.subscribe(broker.subject(rpcSubject(double)), {
      queue: 'loyalty',
      callback: (_, message) => void failed.promise.then(() => message.respond(JSON.stringify({ output: { doubled: 42 } }))),
    });
    const failing = broker.connection.subscribe(broker.subject(everyReplicaSubject(double)), {
      callback(_, message) {
        message.respond(JSON.stringify({ problem: 'INTERNAL', message: 'a fault' }));
        failed.resolve();
      },
    });
    expect(await orders.context.call({ ...double, deadlineMs: 4_000 }, { number: 21 })).toEqual({ doubled: 42 });
    for (const subscription of [slow, failing]) subscription.unsubscribe();
    loyalty = await platform.start(consumer());
    await untilSubscribed();
  });

  test('that fails is answered to a caller that asked one replica, and not to one that asks all', async () => {
    const { broker } = await orders.backbone;
    const inbox = createInbox();
    const replies = broker.connection.subscribe(inbox, { max: 2 });
    const ask = (subject: string, number: number) =>
      broker.connection.publish(broker.subject(subject), JSON.stringify({ number }), { reply: inbox });
    ask(rpcSubject(double), faulty);
    ask(everyReplicaSubject(double), faulty);
    ask(everyReplicaSubject(double), 21);
    const received = [];
    for await (const reply of replies) received.push(reply.json());
    expect(received).toContainEqual({ output: { doubled: 42 } });
    expect(received).toContainEqual(expect.objectContaining({ problem: 'INTERNAL' }));
  });
});
