import type { preferenceToggles } from '@corner/contracts';

interface OfOrder {
  readonly order_number: string;
}
interface OfProgress extends OfOrder {
  /** What is shown at the counter; null where nothing is collected. */
  readonly collection_code: string | null;
}
interface OfCard {
  readonly stamp_count: number;
  readonly goal: number;
}
interface OfVoucher {
  readonly reward_title: string | null;
  /** The last four characters. */
  readonly code_tail: string;
}

/** What each text is written from: figures, instants (ISO 8601) and names, by template. Money is in pence. */
export interface Facts {
  readonly 'order.paid': OfOrder & { readonly total_pence: number; readonly currency: string };
  readonly 'order.accepted': OfProgress;
  readonly 'order.ready': OfProgress;
  readonly 'order.cancelled': OfOrder;
  readonly 'order.refunded': OfOrder & { readonly amount_pence: number; readonly cumulative_pence: number; readonly full: boolean };
  readonly 'order.running_late': OfOrder & { readonly new_eta: string; readonly note: string | null };
  readonly 'order.slot_moved': OfOrder & { readonly collection_at: string };
  readonly 'stamp.pending': OfCard;
  readonly 'stamp.approved': OfCard;
  readonly 'stamp.rejected': OfCard;
  readonly 'stamp.undone': OfCard;
  readonly 'stamp.reversed': OfCard;
  readonly 'multi_stamp.confirmed': OfCard & { readonly stamps: number };
  readonly 'voucher.minted': OfVoucher;
  readonly 'voucher.redeemed': OfVoucher;
  readonly 'voucher.restored': OfVoucher;
  readonly 'voucher.voided': OfVoucher;
  readonly 'voucher.expired': OfVoucher;
  readonly 'queue.called': { readonly hold_until: string };
  readonly 'queue.no_show': Readonly<Record<never, never>>;
}
export type Template = keyof Facts;

export type Toggle = (typeof preferenceToggles)[number];

/** The toggle that lets each message through; null for what nobody can switch off: it is about their own order or turn. */
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
