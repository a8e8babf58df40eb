import type { Stripe } from 'stripe';

type Kept<T, K extends keyof T, Ids extends keyof T = never> = { readonly [P in K]: T[P] } & {
  readonly [P in Ids]: Extract<T[P], string | null>;
};

export type Intent = Kept<
  Stripe.PaymentIntent,
  | 'id'
  | 'object'
  | 'allowed_payment_method_types'
  | 'amount'
  | 'amount_capturable'
  | 'amount_received'
  | 'application_fee_amount'
  | 'automatic_payment_methods'
  | 'canceled_at'
  | 'cancellation_reason'
  | 'capture_method'
  | 'confirmation_method'
  | 'created'
  | 'currency'
  | 'description'
  | 'last_payment_error'
  | 'livemode'
  | 'metadata'
  | 'next_action'
  | 'payment_method_types'
  | 'processing'
  | 'receipt_email'
  | 'setup_future_usage'
  | 'statement_descriptor_suffix'
  | 'status'
  | 'transfer_group',
  'customer' | 'latest_charge' | 'on_behalf_of' | 'payment_method'
> & {
  readonly client_secret: string;
  readonly transfer_data: { readonly destination: string; readonly amount?: number } | null;
};

export type Charge = Kept<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_captured'
  | 'amount_refunded'
  | 'application_fee_amount'
  | 'captured'
  | 'created'
  | 'currency'
  | 'description'
  | 'disputed'
  | 'failure_code'
  | 'failure_message'
  | 'livemode'
  | 'metadata'
  | 'paid'
  | 'payment_method'
  | 'refunded'
  | 'status'
  | 'transfer_group',
  'application_fee' | 'balance_transaction' | 'customer' | 'on_behalf_of' | 'payment_intent'
> & {
  readonly payment_method_details: { readonly type: 'card'; readonly card: { readonly brand: string; readonly last4: string } };
  readonly transfer: string | null;
  readonly transfer_data: { readonly destination: string; readonly amount: number | null } | null;
};

export type Refund = Kept<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'metadata' | 'reason' | 'failure_reason',
  'balance_transaction' | 'charge' | 'payment_intent' | 'source_transfer_reversal' | 'transfer_reversal'
> & {
  readonly status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
  readonly failure_balance_transaction?: string;
};

interface Covered {
  readonly covered: number;
}

export type Transfer = Kept<
  Stripe.Transfer,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_reversed'
  | 'created'
  | 'currency'
  | 'description'
  | 'livemode'
  | 'metadata'
  | 'reversed'
  | 'transfer_group',
  'balance_transaction' | 'destination' | 'source_transaction'
> &
  Covered;

export type TransferReversal = Kept<
  Stripe.TransferReversal,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'metadata',
  'balance_transaction' | 'source_refund' | 'transfer'
>;

export type ApplicationFee = Kept<
  Stripe.ApplicationFee,
  'id' | 'object' | 'amount' | 'amount_refunded' | 'created' | 'currency' | 'livemode' | 'refunded',
  'account' | 'balance_transaction' | 'charge' | 'originating_transaction'
> &
  Covered;

export type FeeRefund = Kept<
  Stripe.FeeRefund,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'metadata',
  'balance_transaction' | 'fee'
>;

export type BalanceTransaction = Kept<
  Stripe.BalanceTransaction,
  | 'id'
  | 'object'
  | 'amount'
  | 'available_on'
  | 'created'
  | 'currency'
  | 'description'
  | 'exchange_rate'
  | 'fee'
  | 'fee_details'
  | 'net'
  | 'reporting_category'
  | 'status'
  | 'type',
  'source'
> & {
  readonly payout: string | null;
};

export type Payout = Kept<
  Stripe.Payout,
  | 'id'
  | 'object'
  | 'amount'
  | 'arrival_date'
  | 'automatic'
  | 'created'
  | 'currency'
  | 'failure_code'
  | 'livemode'
  | 'reconciliation_status'
  | 'status'
> & {
  readonly transactions: readonly string[];
  readonly account: string | null;
};

export type Dispute = Kept<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'is_charge_refundable' | 'livemode' | 'metadata' | 'reason' | 'status',
  'charge' | 'payment_intent'
> & {
  readonly balance_transactions: readonly BalanceTransaction[];
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly evidence_details: Pick<Stripe.Dispute.EvidenceDetails, 'due_by' | 'has_evidence' | 'past_due' | 'submission_count'>;
};

export type Customer = Kept<
  Stripe.Customer,
  'id' | 'object' | 'balance' | 'created' | 'description' | 'email' | 'livemode' | 'metadata' | 'name' | 'phone'
>;

export type Account = Kept<
  Stripe.Account,
  | 'id'
  | 'object'
  | 'charges_enabled'
  | 'country'
  | 'created'
  | 'default_currency'
  | 'details_submitted'
  | 'email'
  | 'payouts_enabled'
  | 'type'
> & {
  readonly business_profile: { readonly name: string | null };
  readonly capabilities: { readonly card_payments: CapabilityState; readonly transfers: CapabilityState };
  readonly metadata: Readonly<Record<string, string>>;
  readonly requirements: Requirements;
};

export type AccountV2 = Pick<
  Stripe.V2.Core.Account,
  'id' | 'object' | 'applied_configurations' | 'contact_email' | 'created' | 'dashboard' | 'display_name' | 'livemode' | 'metadata'
>;

export interface AccountLink {
  readonly id: string;
  readonly object: 'account_link';
  readonly account: string;
  readonly created: number;
  readonly expires_at: number;
  readonly refresh_url: string;
  readonly return_url: string;
  readonly visit: string | null;
}
export type CapabilityState = 'active' | 'inactive' | 'pending';
export type Requirements = Pick<
  Stripe.Account.Requirements,
  'current_deadline' | 'currently_due' | 'disabled_reason' | 'errors' | 'eventually_due' | 'past_due' | 'pending_verification'
>;

/** The secret is returned once and never stored. `api_version` is the Stripe-Version with which the key was requested. */
export type EphemeralKey = Kept<Stripe.EphemeralKey, 'id' | 'object' | 'created' | 'expires' | 'livemode'> & {
  readonly api_version: string;
  readonly associated_objects: readonly { readonly type: 'customer'; readonly id: string }[];
};

export interface Event {
  readonly id: string;
  readonly object: 'event';
  readonly account?: string;
  readonly api_version: string;
  readonly created: number;
  readonly data: { readonly object: unknown; readonly previous_attributes?: unknown };
  readonly livemode: false;
  readonly pending_webhooks: number;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
  readonly type: EventType;
}

export type PaymentMethodDomain = Stripe.PaymentMethodDomain;

export interface ThinEvent {
  readonly id: string;
  readonly object: 'v2.core.event';
  readonly created: string;
  readonly livemode: false;
  readonly related_object: { readonly id: string; readonly type: string; readonly url: string };
  readonly type: ThinEventType;
}
export type ThinEventType = Extract<Stripe.V2.Core.EventNotification['type'], `v2.core.account${string}`>;

export type EventType = Stripe.Event['type'];
