import { type RpcInput, rpcSubject, voucherDetails } from '@corner/contracts';
import type { Running } from '../../testing/running.ts';

/** What the stand-in for loyalty says of every voucher. */
export const details = { code: 'K7Q2M9AB12', expires_at: '2026-08-29T22:59:59.000000Z', last_day: '2026-08-29' } as const;

/** A stand-in for loyalty's RPC of vouchers. */
export interface Loyalty extends AsyncDisposable {
  /** What it was called for, in order. */
  readonly calls: RpcInput<typeof voucherDetails>[];
  /** Makes it reply no longer, or again. */
  away: boolean;
}

/** Replies in loyalty's place on the service's broker, until disposed. */
export async function startLoyalty({ service }: Running): Promise<Loyalty> {
  const { broker } = await service.backbone;
  const subscription = broker.connection.subscribe(broker.subject(rpcSubject(voucherDetails)), {
    callback(_error, message) {
      loyalty.calls.push(message.json());
      message.respond(JSON.stringify(loyalty.away ? { problem: 'INTERNAL', message: 'away' } : { output: details }));
    },
  });
  const loyalty: Loyalty = { calls: [], away: false, [Symbol.asyncDispose]: () => subscription.drain() };
  await broker.connection.flush();
  return loyalty;
}
