/** What each template of a message says, for people who did not receive it. */
const texts: Readonly<Record<string, string>> = {
  'order.paid': 'Receipt for an order',
  'order.accepted': 'The order is accepted',
  'order.ready': 'The order is ready',
  'order.not_ready': 'The order is not ready yet',
  'order.not_accepted': 'The order was not accepted in time',
  'order.cancelled': 'The order was cancelled',
  'order.refunded': 'Refund for an order',
  'order.refund_failed': 'The refund did not arrive',
  'order.running_late': 'The order is running late',
  'order.slot_moved': 'The order can be collected earlier',
  'stamp.pending': 'The stamp is being checked',
  'stamp.approved': 'You have a new stamp',
  'stamp.rejected': 'A stamp was not confirmed',
  'stamp.undone': 'A stamp was removed',
  'stamp.reversed': 'A stamp was removed after a refund',
  'multi_stamp.confirmed': 'You have more stamps',
  'voucher.minted': 'You earned a reward',
  'voucher.redeemed': 'Your voucher was used',
  'voucher.restored': 'Your voucher is valid again',
  'voucher.voided': 'A voucher is no longer valid',
  'voucher.expiring': 'Your voucher expires soon',
  'voucher.expired': 'Your voucher has expired',
  'membership.begun': 'Your membership has begun',
  'membership.renewed': 'Your membership goes on',
  'membership.ending': 'Your membership ends soon',
  'membership.ended': 'Your membership has ended',
  'queue.called': 'It is your turn',
  'queue.recalled': 'Not your turn yet',
  'queue.no_show': 'You missed your turn',
  'queue.closed': 'The queue has closed',
  'booking.requested': 'Your booking waits for the store',
  'booking.made': 'You have a booking',
  'booking.confirmed': 'Your booking is confirmed',
  'booking.moved': 'Your booking has another time',
  'booking.cancelled': 'Your booking was cancelled',
  'booking.reminder': 'Your booking is soon',
  'booking.no_show': 'You missed your booking',
  'class.moved': 'Your class has another time',
  'class.cancelled': 'Your class was cancelled',
  'message.written': 'What the store wrote',
  'campaign.message': 'News that the store wrote',
  'staff.invited': 'An invitation to work at the store',
  'store.stamps_waiting': 'Stamps wait for approval',
  'store.stamps_reviewed': 'Stamps were reviewed',
  'store.refund_failed': 'A refund failed',
  'store.dispute_opened': 'An order is disputed',
  'store.dispute_won': 'You won a dispute',
  'store.dispute_lost': 'You lost a dispute',
  'store.account_restricted': 'The store cannot take orders',
  'store.account_restored': 'The store takes orders again',
  'store.campaign_test': 'A campaign, sent to the store itself',
  'store.orders_refused': 'The store is losing orders',
};

/** Returns what a message of this template says. One that is not known here is named by its template, without signs. */
export const messageText = (template: string): string => texts[template] ?? template.replaceAll(/[._]/g, ' ');

/** Takes the messages that no one was sent, nor will be, apart: those that were not wanted, and those that a later one made useless. */
export function bySending<M extends { readonly state: string }>(messages: readonly M[]): { readonly sent: M[]; readonly notSent: M[] } {
  const { sent = [], notSent = [] } = Object.groupBy(messages, ({ state }) =>
    state === 'muted' || state === 'superseded' ? 'notSent' : 'sent',
  );
  return { sent, notSent };
}
