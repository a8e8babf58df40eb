import type { Template, TemplateData } from '../rules/template-data.ts';

const card = [
  { stamp_count: 1, goal: 10 },
  { stamp_count: 4, goal: 10 },
];
const voucher = [
  { reward_title: '[reward_title]', code_tail: '[code_tail]' },
  { reward_title: null, code_tail: '[code_tail]' },
];
const progress = [
  { order_number: '[order_number]', collection_code: '[collection_code]' },
  { order_number: '[order_number]', collection_code: null },
];

const disputes = [null, '[reason]'].map((reason) => ({ order_number: '[order_number]', amount_pence: 250, currency: 'GBP', reason }));
const periods = ['[plan_name]', null].flatMap((plan_name) => ['[ends_at]', null].map((ends_at) => ({ plan_name, ends_at })));
const bookings = ['[service_name]', null].map((service_name) => ({ service_name, starts_at: '[starts_at]' }));
const reasons = [{ reasons: [] }, { reasons: ['[reason]', '[other reason]'] }];

/** Data of every template, one for each variant of its text. A string is the name of its field in brackets. */
export const sampleData: { readonly [T in Template]: readonly TemplateData[T][] } = {
  'order.paid': [{ order_id: '[order_id]', order_number: '[order_number]', total_pence: 1250, currency: 'GBP' }],
  'order.accepted': progress,
  'order.ready': progress,
  'order.not_ready': [{ order_number: '[order_number]' }],
  'order.not_accepted': [{ order_number: '[order_number]' }],
  'order.cancelled': [{ order_number: '[order_number]' }],
  'order.refunded': [true, false].map((full) => ({
    order_id: '[order_id]',
    refund_id: '[refund_id]',
    order_number: '[order_number]',
    amount_pence: 250,
    cumulative_pence: 400,
    full,
    currency: 'GBP',
  })),
  'order.refund_failed': [{ order_number: '[order_number]', amount_pence: 250, currency: 'GBP' }],
  'order.running_late': [null, '[note]'].map((note) => ({ order_number: '[order_number]', new_eta: '[new_eta]', note })),
  'order.slot_moved': [{ order_number: '[order_number]', collection_at: '[collection_at]' }],
  'stamp.pending': card,
  'stamp.approved': card.flatMap((data) => [true, false].map((completed) => ({ ...data, completed }))),
  'stamp.rejected': card,
  'stamp.undone': card,
  'stamp.reversed': card,
  'multi_stamp.confirmed': [1, 3].map((stamps) => ({ stamps, stamp_count: 7, goal: 10 })),
  'voucher.minted': voucher,
  'voucher.redeemed': voucher,
  'voucher.restored': voucher,
  'voucher.voided': voucher,
  'voucher.expired': voucher,
  'voucher.expiring': voucher.map((data) => ({ ...data, expires_at: '[expires_at]' })),
  'membership.begun': periods,
  'membership.renewed': periods,
  'membership.ending': periods,
  'membership.ended': periods,
  'queue.called': [{ hold_until: '[hold_until]' }],
  'queue.recalled': [{}],
  'queue.no_show': [{}],
  'queue.closed': [{}],
  'booking.requested': bookings,
  'booking.made': bookings,
  'booking.confirmed': bookings,
  'booking.moved': bookings,
  'booking.cancelled': bookings,
  'booking.reminder': bookings,
  'booking.no_show': bookings.flatMap((data) => [null, 0, 1, 3].map((left) => ({ ...data, left }))),
  'class.moved': bookings,
  'class.cancelled': bookings,
  'class.waiting': bookings.map((data) => ({ ...data, place: 2 })),
  'class.offered': bookings.map((data) => ({ ...data, offer_until: '[offer_until]' })),
  'class.lapsed': bookings,
  'message.written': [{ text: '[text]' }],
  'campaign.message': [{ title: '[title]', body: '[body]' }],
  'staff.invited': (['staff', 'manager', 'owner'] as const).flatMap((role) =>
    ['[invited_by]', null].map((invited_by) => ({ role, invited_by, expires_at: '[expires_at]' })),
  ),
  'store.stamps_waiting': [{ stamps: 1 }, { stamps: 3 }],
  'store.stamps_reviewed': [{ approved: 3, rejected: 1 }],
  'store.refund_failed': disputes,
  'store.dispute_opened': disputes.flatMap((data) => [null, '[evidence_due_by]'].map((evidence_due_by) => ({ ...data, evidence_due_by }))),
  'store.dispute_won': disputes,
  'store.dispute_lost': disputes,
  'store.account_restricted': reasons,
  'store.account_restored': [{}],
  'store.campaign_test': [{ title: '[title]', body: '[body]' }],
  'store.orders_refused': reasons.map((data) => ({ ...data, refused: 2, since: '[since]' })),
};
