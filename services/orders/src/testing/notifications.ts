import { type RpcInput, reachCustomer, rpcSubject } from '@corner/contracts';
import type { Running } from './running.ts';

/** Notifications at the far side of the wire, as far as reaching customers goes. */
export interface Notifications extends AsyncDisposable {
  /** Each question it was asked, in order. */
  readonly asked: RpcInput<typeof reachCustomer>[];
}

/** Answers for notifications on the service's own broker, until disposed; without a channel it hears and keeps silent. */
export async function startNotifications({ service }: Running, channel: 'push' | 'email' | 'none' | null): Promise<Notifications> {
  const { broker } = await service.backbone;
  const asked: RpcInput<typeof reachCustomer>[] = [];
  const subscription = broker.connection.subscribe(broker.subject(rpcSubject(reachCustomer)), {
    callback: (_error, message) => {
      asked.push(message.json());
      if (channel) message.respond(JSON.stringify({ output: { channel } }));
    },
  });
  await broker.connection.flush();
  return { asked, [Symbol.asyncDispose]: () => subscription.drain() };
}
