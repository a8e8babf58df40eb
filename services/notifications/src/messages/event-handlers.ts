import { type EventHandler, type EventHandlers, on, onAll } from '@corner/chassis';
import {
  bookingArrived,
  bookingCancelled,
  bookingConfirmed,
  bookingDone,
  bookingMade,
  bookingMoved,
  bookingNoShow,
  bookingReopened,
  customerSeen,
  type DataOf,
  directoryCustomer,
  directoryStore,
  type EventContract,
  type EventOf,
  membershipBegun,
  membershipEnded,
  membershipEnding,
  membershipRenewed,
  multiStampConfirmed,
  orderCancelled,
  orderFulfilmentChanged,
  orderPaid,
  orderRefunded,
  orderRefundFailed,
  orderRunningLate,
  orderSlotMoved,
  orderStatusChanged,
  paymentDisputed,
  publicEvents,
  queueAssigned,
  queueCalled,
  queueCompleted,
  queueConverted,
  queueLeft,
  queueNoShow,
  queueRecalled,
  queueReopened,
  staffInvited,
  stampApproved,
  stampPending,
  stampRejected,
  stampReversed,
  stampUndone,
  storeAccountChanged,
  storeOrdersRefused,
  voucherExpired,
  voucherExpiring,
  voucherMinted,
  voucherRedeemed,
  voucherRestored,
  voucherVoided,
  waitlistJoined,
  waitlistLeft,
  waitlistOffered,
} from '@corner/contracts';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { mergeContacts } from './rules/channels.ts';
import type { EventContent, StoreMessage } from './rules/content.ts';
import {
  contentForBookingCancelled,
  contentForBookingConfirmed,
  contentForBookingMade,
  contentForBookingMoved,
  contentForBookingNoShow,
  contentForBookingReopened,
  contentForBookingStep,
  contentForWaitlistJoined,
  contentForWaitlistLeft,
  contentForWaitlistOffered,
} from './rules/content-for-bookings.ts';
import {
  contentForApprovedStamp,
  contentForCount,
  contentForMembership,
  contentForMultiStamp,
  contentForReview,
  contentForVoucher,
  contentForVoucherExpiring,
} from './rules/content-for-cards.ts';
import {
  contentForFulfilmentChanged,
  contentForOrderCancelled,
  contentForOrderPaid,
  contentForOrderRefunded,
  contentForRefundFailed,
  contentForRunningLate,
  contentForSlotMoved,
  contentForStatusChanged,
} from './rules/content-for-orders.ts';
import {
  contentForQueueCalled,
  contentForQueueLeft,
  contentForQueueMove,
  contentForQueueNoShow,
  contentForQueueRecalled,
} from './rules/content-for-queue.ts';
import {
  contentForStaffInvited,
  storeMessageForAccount,
  storeMessageForDispute,
  storeMessageForOrdersRefused,
  storeMessageForRefundFailed,
} from './rules/content-for-stores.ts';
import { replaceContacts, saveCustomer, saveStore } from './tables/directory.ts';
import { insertWaitingStamp } from './tables/stamp-reviews.ts';
import { notifyStore } from './transactions/notify-store.ts';
import { interactionAt, messageOf, publicOf, recordEvents, reviewOf } from './transactions/record-events.ts';

const ofDirectory: EventHandlers<Context> = {
  projectCustomer: on(directoryCustomer, ({ data }, tx) => saveCustomer(tx, data)),
  projectStore: on(directoryStore, async ({ data }, tx) => {
    if (await saveStore(tx, data)) await replaceContacts(tx, data.id, mergeContacts(data.contacts));
  }),
  createMessageWhenStaffInvited: toCustomer(staffInvited, contentForStaffInvited),
};

const ofLoyalty: EventHandlers<Context> = {
  recordInteractionWhenCustomerSeen: onAll(customerSeen, ({ data, time }) => interactionAt(time, data), recordEvents),
  createMessageWhenStampPending: toCustomer(stampPending, contentForReview('stamp.pending')),
  createMessageWhenStampRejected: toCustomer(stampRejected, contentForReview('stamp.rejected')),
  createMessageWhenStampApproved: toCustomer(stampApproved, contentForApprovedStamp),
  createMessageWhenStampUndone: toCustomer(stampUndone, contentForCount('stamp.undone')),
  createMessageWhenStampReversed: toCustomer(stampReversed, contentForCount('stamp.reversed')),
  createMessageWhenMultiStampConfirmed: toCustomer(multiStampConfirmed, contentForMultiStamp),
  createMessageWhenVoucherMinted: toCustomer(voucherMinted, contentForVoucher('voucher.minted')),
  createMessageWhenVoucherRedeemed: toCustomer(voucherRedeemed, contentForVoucher('voucher.redeemed')),
  createMessageWhenVoucherRestored: toCustomer(voucherRestored, contentForVoucher('voucher.restored')),
  createMessageWhenVoucherVoided: toCustomer(voucherVoided, contentForVoucher('voucher.voided')),
  createMessageWhenVoucherExpiring: toCustomer(voucherExpiring, contentForVoucherExpiring),
  createMessageWhenVoucherExpired: toCustomer(voucherExpired, contentForVoucher('voucher.expired')),
  createMessageWhenMembershipBegun: toCustomer(membershipBegun, contentForMembership('membership.begun')),
  createMessageWhenMembershipRenewed: toCustomer(membershipRenewed, contentForMembership('membership.renewed')),
  createMessageWhenMembershipEnding: toCustomer(membershipEnding, contentForMembership('membership.ending')),
  createMessageWhenMembershipEnded: toCustomer(membershipEnded, contentForMembership('membership.ended')),
  recordWaitingStampWhenStampPending: on(stampPending, ({ data }, tx) =>
    insertWaitingStamp(tx, { stampId: data.stamp_id, storeId: data.at_store_id ?? data.store_id }),
  ),
  recordReviewWhenStampApproved: onAll(stampApproved, (event) => reviewOf(event, 'approved'), recordEvents),
  recordReviewWhenStampRejected: onAll(stampRejected, (event) => reviewOf(event, 'rejected'), recordEvents),
};

const ofOrders: EventHandlers<Context> = {
  recordInteractionWhenOrderPaid: onAll(orderPaid, ({ data }) => interactionAt(data.paid_at, data), recordEvents),
  createMessageWhenOrderPaid: toCustomer(orderPaid, contentForOrderPaid),
  createMessageWhenFulfilmentChanged: toCustomer(orderFulfilmentChanged, contentForFulfilmentChanged),
  createMessageWhenStatusChanged: toCustomer(orderStatusChanged, contentForStatusChanged),
  createMessageWhenOrderCancelled: toCustomer(orderCancelled, contentForOrderCancelled),
  createMessageWhenOrderRefunded: toCustomer(orderRefunded, contentForOrderRefunded),
  createMessageWhenRefundFailed: toCustomer(orderRefundFailed, contentForRefundFailed),
  createMessageWhenOrderRunningLate: toCustomer(orderRunningLate, contentForRunningLate),
  createMessageWhenSlotMoved: toCustomer(orderSlotMoved, contentForSlotMoved),
  notifyStoreWhenRefundFailed: toStore(orderRefundFailed, storeMessageForRefundFailed),
  notifyStoreWhenPaymentDisputed: toStore(paymentDisputed, storeMessageForDispute),
  notifyStoreWhenAccountChanged: toStore(storeAccountChanged, storeMessageForAccount),
  notifyStoreWhenOrdersRefused: toStore(storeOrdersRefused, storeMessageForOrdersRefused),
};

const ofQueue: EventHandlers<Context> = {
  recordInteractionWhenQueueCompleted: onAll(queueCompleted, ({ data }) => interactionAt(data.at, data), recordEvents),
  createMessageWhenQueueCalled: toCustomer(queueCalled, contentForQueueCalled),
  createMessageWhenQueueRecalled: toCustomer(queueRecalled, contentForQueueRecalled),
  createMessageWhenQueueNoShow: toCustomer(queueNoShow, contentForQueueNoShow),
  createMessageWhenQueueLeft: toCustomer(queueLeft, contentForQueueLeft),
  // These stop a call, a reminder or the message of a no-show that has not been sent yet, and make no message.
  supersedeMessageWhenQueueAssigned: toCustomer(queueAssigned, contentForQueueMove),
  supersedeMessageWhenQueueCompleted: toCustomer(queueCompleted, contentForQueueMove),
  supersedeMessageWhenQueueConverted: toCustomer(queueConverted, contentForQueueMove),
  supersedeMessageWhenQueueReopened: toCustomer(queueReopened, contentForQueueMove),
};

const ofBookings: EventHandlers<Context> = {
  recordInteractionWhenBookingDone: onAll(bookingDone, ({ data }) => interactionAt(data.at, data), recordEvents),
  createMessagesWhenBookingMade: toCustomer(bookingMade, contentForBookingMade),
  createMessagesWhenBookingConfirmed: toCustomer(bookingConfirmed, contentForBookingConfirmed),
  createMessagesWhenBookingMoved: toCustomer(bookingMoved, contentForBookingMoved),
  createMessageWhenBookingCancelled: toCustomer(bookingCancelled, contentForBookingCancelled),
  createMessageWhenBookingNoShow: toCustomer(bookingNoShow, contentForBookingNoShow),
  supersedeMessagesWhenBookingArrived: toCustomer(bookingArrived, contentForBookingStep),
  supersedeMessagesWhenBookingDone: toCustomer(bookingDone, contentForBookingStep),
  supersedeMessagesWhenBookingReopened: toCustomer(bookingReopened, contentForBookingReopened),
  createMessageWhenWaitlistJoined: toCustomer(waitlistJoined, contentForWaitlistJoined),
  createMessageWhenWaitlistOffered: toCustomer(waitlistOffered, contentForWaitlistOffered),
  createMessageWhenWaitlistLeft: toCustomer(waitlistLeft, contentForWaitlistLeft),
};

/** Recorded by the statement that records messages, so webhooks add no statement to an event. */
const ofWebhooks: EventHandlers<Context> = Object.fromEntries(
  publicEvents.map((given) => [`publishToWebhooks ${given.type}`, onAll(given.event, (event) => publicOf(event, given), recordEvents)]),
);

export const eventHandlers: EventHandlers<Context> = {
  ...ofDirectory,
  ...ofLoyalty,
  ...ofOrders,
  ...ofQueue,
  ...ofBookings,
  ...ofWebhooks,
};

/** Creates the event's message to its customer, guest or invited person, and makes older ones on its topics out of date. */
function toCustomer<E extends EventContract>(event: E, contentOf: (data: DataOf<E>) => EventContent): EventHandler<Context> {
  return onAll(event, (arrived: EventOf<E>) => messageOf(arrived, contentOf(arrived.data)), recordEvents);
}

function toStore<E extends EventContract<z.ZodType<{ store_id: string }>>>(
  event: E,
  messageOf: (data: DataOf<E>) => StoreMessage,
): EventHandler<Context> {
  return on(event, async ({ id, sequence, data }: EventOf<E>, tx, { messageSignal }: Context) => {
    await notifyStore(tx, { id, sequence, storeId: data.store_id }, messageOf(data), messageSignal);
  });
}
