import { type RpcInput, reachCustomer, rpcSubject } from '@corner/contracts';
import type { Running } from './running.ts';

/** A stand-in for the RPC of notifications that returns a customer's channel. */
export interface Notifications extends AsyncDisposable {
  /** The inputs it was called with, in order. */
  readonly calls: RpcInput<typeof reachCustomer>[];
}

/** Replies in the place of notifications on the service's broker, until disposed. Without a channel it never replies. */
export async function startNotifications({ service }: Running, channel: 'push' | 'email' | 'none' | null): Promise<Notifications> {
  const { broker } = await service.backbone;
  const calls: RpcInput<typeof reachCustomer>[] = [];
  const subscription = broker.connection.subscribe(broker.subject(rpcSubject(reachCustomer)), {
    callback: (_error, message) => {
      calls.push(message.json());
      if (channel) message.respond(JSON.stringify({ output: { channel } }));
    },
  });
  await broker.connection.flush();
  return { calls, [Symbol.asyncDispose]: () => subscription.drain() };
}
