import type {
  Canceller,
  NoStampReason,
  OrderMessage,
  RpcOutput,
  readOrderMessages,
  readOrderStamps,
  StoryActor,
  StoryKind,
} from '@corner/contracts';
import type { PaymentStatus } from '../../order/rules/status.ts';

export type OrderStamps = RpcOutput<typeof readOrderStamps>;
export type OrderMessages = RpcOutput<typeof readOrderMessages>['messages'];

/**
 * The records of an order. Times are ISO 8601. `is_first` is null for a paid order whose payment came too late. Parts are the order, then
 * its legs; the log covers them all, oldest entry first; refunds are in the order of acceptance.
 */
export interface RecordedOrder {
  readonly id: string;
  readonly customer_id: string;
  readonly currency: string;
  readonly time_zone: string;
  readonly payment_status: PaymentStatus;
  readonly is_first: boolean | null;
  readonly without_customer: boolean;
  readonly created_at: string;
  readonly paid_at: string | null;
  readonly total_pence: number;
  readonly promo_discount_pence: number;
  readonly promo_label: string | null;
  readonly voucher_discount_pence: number;
  readonly voucher_id: string | null;
  readonly parts: readonly {
    readonly id: string;
    readonly order_number: string;
    readonly accepted_at: string | null;
    readonly revised_ready_at: string | null;
    readonly requested_collection_at: string | null;
    readonly cancelled_by: Canceller | null;
  }[];
  readonly log: readonly {
    readonly at: string;
    readonly order_id: string;
    readonly kind: string;
    readonly actor: string | null;
    readonly detail: string | null;
    readonly amount_pence: number | null;
  }[];
  readonly refunds: readonly RecordedRefund[];
}

interface RecordedRefund {
  readonly id: string;
  readonly order_id: string;
  readonly amount_pence: number;
  readonly status: string;
  readonly counted: boolean;
  readonly by_id: string;
  readonly by_name: string | null;
  readonly reason: string;
  readonly created_at: string;
  readonly accepted_at: string | null;
  readonly settled_at: string | null;
}

interface Amount {
  readonly amount_pence: number;
}
interface Titled {
  readonly title: string | null;
}
interface By {
  readonly by: StoryActor;
}
interface Timed {
  readonly expected_at: string | null;
}
export interface Message {
  readonly channel: OrderMessages[number]['channel'];
  readonly about: OrderMessage;
}
type None = object;

export interface Facts extends Record<StoryKind, object> {
  readonly placed: Amount;
  readonly promo_used: Amount & Titled;
  readonly voucher_used: Amount & Titled;
  readonly payment_declined: None;
  readonly paid: Amount;
  readonly paid_too_late: Amount;
  readonly accepted: None;
  readonly preparing: None;
  readonly ready: None;
  readonly collected: None;
  readonly not_collected: None;
  readonly corrected: None;
  readonly delayed: Timed;
  readonly collect_earlier: Timed;
  readonly cancelled: By;
  readonly expired: None;
  readonly refund_requested: Amount & By;
  readonly partly_refunded: Amount & By;
  readonly refunded: Amount & By;
  readonly refund_failed: Amount & By;
  readonly disputed: Amount;
  readonly dispute_won: Amount;
  readonly dispute_lost: Amount;
  readonly voucher_returned: Titled;
  readonly stamps_earned: { readonly stamps: number; readonly count_after: number | null; readonly goal: number | null };
  readonly reward_earned: Titled;
  readonly stamps_taken_back: { readonly stamps: number; readonly reason: NoStampReason };
  readonly no_stamp: NoStampFacts;
  readonly receipt_sent: Message;
  readonly message_sent: Message;
  readonly message_failed: Message;
  readonly message_muted: Message;
}

export interface NoStampFacts {
  readonly reason: NoStampReason;
  /** The minimum spend, if that is the reason; else null. */
  readonly amount_pence: number | null;
}

/** One thing that happened. Only the store sees `by_name` and `note`, which come from its staff. */
export type Fact = {
  readonly [K in StoryKind]: {
    readonly at: string;
    readonly kind: K;
    readonly part: string | null;
    readonly by_name: string | null;
    readonly note: string | null;
  } & Facts[K];
}[StoryKind];
