import { handleAwardOrder } from './rpc-handlers/award-order.ts';
import { handleReleaseVoucher } from './rpc-handlers/release-voucher.ts';
import { handleReserveVoucher } from './rpc-handlers/reserve-voucher.ts';

/** What loyalty answers when another service asks. */
export const rpcHandlers = { handleAwardOrder, handleReserveVoucher, handleReleaseVoucher };
