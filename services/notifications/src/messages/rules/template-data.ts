import type { preferenceToggles } from '@corner/contracts';

/** The data each template's text is written from: amounts in pence, instants (ISO 8601) and names. */
export interface TemplateData {
  readonly 'order.paid': OrderData & { readonly order_id: string; readonly total_pence: number; readonly currency: string };
  readonly 'order.accepted': ProgressData;
  readonly 'order.ready': ProgressData;
  readonly 'order.cancelled': OrderData;
  readonly 'order.refunded': OrderData & { readonly amount_pence: number; readonly cumulative_pence: number; readonly full: boolean };
  readonly 'order.running_late': OrderData & { readonly new_eta: string; readonly note: string | null };
  readonly 'order.slot_moved': OrderData & { readonly collection_at: string };
  readonly 'stamp.pending': CardData;
  readonly 'stamp.approved': CardData & {
    /** Whether the stamp completed the card: its stamps then became a reward, and `stamp_count` is what is left. */
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
  readonly 'queue.called': { readonly hold_until: string };
  readonly 'queue.no_show': Readonly<Record<never, never>>;
}
export type Template = keyof TemplateData;

export type Toggle = (typeof preferenceToggles)[number];

/** The preference that switches each message on or off; null for messages about the customer's own order or turn, which are always sent. */
export const toggleOf: { readonly [T in Template]: Toggle | null } = {
  'order.paid': null,
  'order.accepted': null,
  'order.ready': null,
  'order.cancelled': null,
  'order.refunded': null,
  'order.running_late': null,
  'order.slot_moved': null,
  'stamp.pending': 'stampEventsEnabled',
  'stamp.approved': 'stampEventsEnabled',
  'stamp.rejected': 'stampEventsEnabled',
  'stamp.undone': 'stampEventsEnabled',
  'stamp.reversed': 'stampEventsEnabled',
  'multi_stamp.confirmed': 'stampEventsEnabled',
  'voucher.minted': 'voucherEventsEnabled',
  'voucher.redeemed': 'voucherEventsEnabled',
  'voucher.restored': 'voucherEventsEnabled',
  'voucher.voided': 'voucherEventsEnabled',
  'voucher.expired': 'voucherEventsEnabled',
  'queue.called': null,
  'queue.no_show': 'penaltyEventsEnabled',
};

interface OrderData {
  readonly order_number: string;
}
interface ProgressData extends OrderData {
  /** The code the customer shows at the counter; null for an order that is not collected. */
  readonly collection_code: string | null;
}
interface CardData {
  readonly stamp_count: number;
  readonly goal: number;
}
interface VoucherData {
  readonly reward_title: string | null;
  /** The last four characters of the voucher code. */
  readonly code_tail: string;
}
