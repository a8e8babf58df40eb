import { messagesSwitchedBy, type PreferenceToggle, preferenceToggles, type Role } from '@corner/contracts';

/**
 * The data each template's text is written from. Amounts are in pence, instants in ISO 8601. `left` is null where no-shows never make
 * bookings wait for the store, `ends_at` for a membership that does not end, `service_name` when the store no longer offers the service,
 * `collection_code` for an order that is not collected.
 */
export interface TemplateData {
  readonly 'order.paid': OrderData & { readonly order_id: string; readonly total_pence: number; readonly currency: string };
  readonly 'order.accepted': ProgressData;
  readonly 'order.ready': ProgressData;
  readonly 'order.not_ready': OrderData;
  readonly 'order.cancelled': OrderData;
  readonly 'order.not_accepted': OrderData;
  readonly 'order.refunded': OrderData & {
    readonly order_id: string;
    readonly refund_id: string;
    readonly amount_pence: number;
    readonly cumulative_pence: number;
    readonly full: boolean;
    readonly currency: string;
  };
  readonly 'order.refund_failed': OrderData & { readonly amount_pence: number; readonly currency: string };
  readonly 'order.running_late': OrderData & { readonly new_eta: string; readonly note: string | null };
  readonly 'order.slot_moved': OrderData & { readonly collection_at: string };
  readonly 'stamp.pending': CardData;
  readonly 'stamp.approved': CardData & {
    /** The stamp completed the card: its stamps became a reward, and `stamp_count` is the rest. */
    readonly completed: boolean;
  };
  readonly 'stamp.rejected': CardData;
  readonly 'stamp.undone': CardData;
  readonly 'stamp.reversed': CardData;
  readonly 'multi_stamp.confirmed': CardData & { readonly stamps: number };
  readonly 'voucher.minted': VoucherData;
  readonly 'voucher.redeemed': VoucherData;
  readonly 'voucher.restored': VoucherData;
  readonly 'voucher.voided': VoucherData;
  readonly 'voucher.expired': VoucherData;
  readonly 'voucher.expiring': VoucherData & { readonly expires_at: string };
  readonly 'membership.begun': MembershipPeriod;
  readonly 'membership.renewed': MembershipPeriod;
  readonly 'membership.ending': MembershipPeriod;
  readonly 'membership.ended': MembershipPeriod;
  readonly 'queue.called': { readonly hold_until: string };
  readonly 'queue.recalled': NoData;
  readonly 'queue.no_show': NoData;
  readonly 'queue.closed': NoData;
  readonly 'booking.requested': BookedTime;
  readonly 'booking.made': BookedTime;
  readonly 'booking.confirmed': BookedTime;
  readonly 'booking.moved': BookedTime;
  readonly 'booking.cancelled': BookedTime;
  readonly 'booking.reminder': BookedTime;
  readonly 'booking.no_show': BookedTime & {
    readonly left: number | null;
  };
  readonly 'class.moved': BookedTime;
  readonly 'class.cancelled': BookedTime;
  readonly 'class.waiting': BookedTime & { readonly place: number };
  readonly 'class.offered': BookedTime & { readonly offer_until: string };
  readonly 'class.lapsed': BookedTime;
  readonly 'message.written': { readonly text: string };
  readonly 'campaign.message': WrittenText;
  readonly 'staff.invited': {
    readonly role: Role;
    readonly invited_by: string | null;
    readonly expires_at: string;
  };
  readonly 'store.stamps_waiting': { readonly stamps: number };
  readonly 'store.stamps_reviewed': { readonly approved: number; readonly rejected: number };
  readonly 'store.refund_failed': RefundFailure;
  readonly 'store.dispute_opened': DisputeData & { readonly evidence_due_by: string | null };
  readonly 'store.dispute_won': DisputeData;
  readonly 'store.dispute_lost': DisputeData;
  readonly 'store.account_restricted': { readonly reasons: readonly string[] };
  readonly 'store.account_restored': NoData;
  readonly 'store.campaign_test': WrittenText;
  readonly 'store.orders_refused': { readonly refused: number; readonly since: string; readonly reasons: readonly string[] };
}
export type Template = keyof TemplateData;
export type StoredData<T extends Template> = T extends 'staff.invited' ? NoData : TemplateData[T];
export type StoreTemplate = Extract<Template, `store.${string}`>;
export type CustomerTemplate = Exclude<Template, StoreTemplate>;

/** Empty for messages about the customer's own order or turn, and for those to a store: nothing switches them off. */
export const togglesOf = (template: Template): readonly PreferenceToggle[] =>
  preferenceToggles.filter((toggle) => messagesOf(toggle).includes(template));

/** The narrowest preference of a message, which the link of a mail switches off; null when none does. */
export const toggleOf = (template: Template): PreferenceToggle | null => togglesOf(template).at(-1) ?? null;

const messagesOf: (toggle: PreferenceToggle) => readonly Template[] = (toggle) => messagesSwitchedBy[toggle];

type NoData = Readonly<Record<never, never>>;
interface MembershipPeriod {
  readonly plan_name: string | null;
  readonly ends_at: string | null;
}
interface WrittenText {
  readonly title: string;
  readonly body: string;
}
interface BookedTime {
  readonly service_name: string | null;
  readonly starts_at: string;
}
interface OrderData {
  readonly order_number: string;
}
interface ProgressData extends OrderData {
  readonly collection_code: string | null;
}
interface RefundFailure extends OrderData {
  readonly amount_pence: number;
  readonly currency: string;
  readonly reason: string | null;
}
interface DisputeData extends OrderData {
  readonly amount_pence: number;
  readonly currency: string;
  readonly reason: string | null;
}
interface CardData {
  readonly stamp_count: number;
  readonly goal: number;
}
interface VoucherData {
  readonly reward_title: string | null;
  readonly code_tail: string;
}
