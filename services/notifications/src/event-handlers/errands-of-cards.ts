import {
  multiStampConfirmed,
  stampApproved,
  stampPending,
  stampRejected,
  stampReversed,
  stampUndone,
  voucherExpired,
  voucherMinted,
  voucherRedeemed,
  voucherRestored,
  voucherVoided,
} from '@corner/contracts';
import { newsOfCount, newsOfReview, newsOfSeveral, newsOfVoucher } from '../messages/rules/content-for-cards.ts';
import { errandOn } from '../messages/transactions/create-message.ts';

/** Whoever collects stamps hears what became of them and of the rewards they made. */
export const errandsOfCards = {
  tellStampPending: errandOn(stampPending, newsOfReview('stamp.pending')),
  tellStampRejected: errandOn(stampRejected, newsOfReview('stamp.rejected')),
  tellStampApproved: errandOn(stampApproved, newsOfCount('stamp.approved')),
  tellStampUndone: errandOn(stampUndone, newsOfCount('stamp.undone')),
  tellStampReversed: errandOn(stampReversed, newsOfCount('stamp.reversed')),
  tellMultiStampConfirmed: errandOn(multiStampConfirmed, newsOfSeveral),
  tellVoucherMinted: errandOn(voucherMinted, newsOfVoucher('voucher.minted')),
  tellVoucherRedeemed: errandOn(voucherRedeemed, newsOfVoucher('voucher.redeemed')),
  tellVoucherRestored: errandOn(voucherRestored, newsOfVoucher('voucher.restored')),
  tellVoucherVoided: errandOn(voucherVoided, newsOfVoucher('voucher.voided')),
  tellVoucherExpired: errandOn(voucherExpired, newsOfVoucher('voucher.expired')),
};
