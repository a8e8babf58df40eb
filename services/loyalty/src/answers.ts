import { answerAwardOrder } from './answers/award-order.ts';
import { answerReleaseVoucher } from './answers/release-voucher.ts';
import { answerReserveVoucher } from './answers/reserve-voucher.ts';

/** What loyalty answers when another service asks. */
export const answers = { answerAwardOrder, answerReserveVoucher, answerReleaseVoucher };
