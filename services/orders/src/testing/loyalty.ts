import { type ProblemCode, type RpcInput, releaseVoucher, reserveVoucher, rpcSubject } from '@corner/contracts';
import type { Running } from './running.ts';

export interface Reward {
  readonly value_kind: 'amount' | 'percent' | 'item';
  readonly value: number;
  readonly item_id: string | null;
}

interface Voucher extends Reward {
  reservedBy: string | null;
  redeemedBy: string | null;
}

export interface Loyalty extends AsyncDisposable {
  readonly calls: RpcInput<typeof reserveVoucher>[];
  readonly released: string[];
  issue(voucherId: string, reward: Reward): void;
  refuse(voucherId: string, code: ProblemCode): void;
  holderOf(voucherId: string): string | null;
  redeem(voucherId: string, orderId: string): string | null;
  giveBack(voucherId: string, orderId: string): void;
  isReserved(voucherId: string): boolean;
}

/** Replies for loyalty on the service's broker, until disposed. A voucher can be reserved by one order at a time. */
export async function startLoyalty({ service }: Running): Promise<Loyalty> {
  const { broker } = await service.backbone;
  const vouchers = new Map<string, Voucher>();
  const refused = new Map<string, ProblemCode>();
  const calls: RpcInput<typeof reserveVoucher>[] = [];
  const released: string[] = [];

  const reserve = (input: RpcInput<typeof reserveVoucher>) => {
    calls.push(input);
    const voucher = vouchers.get(input.voucher_id);
    const problem = refused.get(input.voucher_id) ?? (voucher ? undefined : 'VOUCHER_NOT_FOUND');
    if (problem || !voucher) return { problem, message: 'It cannot be used.' };
    if (voucher.redeemedBy && voucher.redeemedBy !== input.order_id)
      return { problem: 'VOUCHER_ALREADY_REDEEMED', message: 'It has been used.' };
    if (voucher.reservedBy && voucher.reservedBy !== input.order_id)
      return { problem: 'VOUCHER_RESERVED', message: 'Another order has it.' };
    voucher.reservedBy = input.order_id;
    const { value_kind, value, item_id } = voucher;
    return { output: { voucher_id: input.voucher_id, voucher_type: 'reward', value_kind, value, item_id, reward_title: null } };
  };
  const release = ({ voucher_id, order_id }: RpcInput<typeof releaseVoucher>) => {
    released.push(voucher_id);
    const voucher = vouchers.get(voucher_id);
    const its = voucher?.reservedBy === order_id && voucher.redeemedBy === null;
    if (voucher && its) voucher.reservedBy = null;
    return { output: { released: its } };
  };

  const subscriptions = [
    broker.connection.subscribe(broker.subject(rpcSubject(reserveVoucher)), {
      callback: (_error, message) => void message.respond(JSON.stringify(reserve(message.json()))),
    }),
    broker.connection.subscribe(broker.subject(rpcSubject(releaseVoucher)), {
      callback: (_error, message) => void message.respond(JSON.stringify(release(message.json()))),
    }),
  ];
  await broker.connection.flush();
  return {
    calls,
    released,
    issue: (voucherId, reward) => void vouchers.set(voucherId, { ...reward, reservedBy: null, redeemedBy: null }),
    refuse: (voucherId, code) => void refused.set(voucherId, code),
    holderOf: (voucherId) => vouchers.get(voucherId)?.reservedBy ?? null,
    redeem(voucherId, orderId) {
      const voucher = vouchers.get(voucherId);
      if (!voucher || voucher.reservedBy !== orderId) return `it is reserved for ${voucher?.reservedBy}`;
      if (voucher.redeemedBy !== null && voucher.redeemedBy !== orderId) return `it was redeemed for ${voucher.redeemedBy}`;
      voucher.redeemedBy = orderId;
      return null;
    },
    giveBack(voucherId, orderId) {
      const voucher = vouchers.get(voucherId);
      if (voucher?.reservedBy === orderId) Object.assign(voucher, { reservedBy: null, redeemedBy: null });
    },
    isReserved(voucherId) {
      const voucher = vouchers.get(voucherId);
      return voucher?.reservedBy != null && voucher.redeemedBy === null;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(subscriptions.map((subscription) => subscription.drain()));
    },
  };
}
