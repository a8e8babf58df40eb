import type { Stripe } from 'stripe';

const own: Readonly<Record<string, readonly string[]>> = {
  application_fee: ['covered'],
  balance_transaction: ['payout'],
  ephemeral_key: ['api_version', 'associated_objects'],
  payout: ['account', 'transactions'],
  transfer: ['covered'],
};

type Rest<T, K extends keyof T> = Required<Pick<T, K>>;
type Fields = Readonly<Record<string, unknown>>;

type Shown = {
  readonly payment_method_details?: { readonly type: 'card'; readonly card: { readonly brand: string; readonly last4: string } } | null;
  readonly source_transfer?: string | null;
  readonly transfer?: string | null;
};

const emptyList = (url: string) => ({ object: 'list' as const, data: [], has_more: false, url });

const card = {
  amount_authorized: null,
  authorization_code: null,
  checks: null,
  country: 'GB',
  electronic_commerce_indicator: null,
  exp_month: 12,
  exp_year: 2030,
  funding: 'credit',
  installments: null,
  mandate: null,
  network: null,
  network_transaction_id: null,
  regulated_status: null,
  three_d_secure: null,
  transaction_link_id: null,
  wallet: null,
} satisfies Partial<Stripe.Charge.PaymentMethodDetails.Card>;

const evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
} satisfies Stripe.Dispute.Evidence;

const rest: Readonly<Record<string, (thing: Fields) => object>> = {
  account: ({ business_profile, requirements }) => ({
    business_profile: {
      mcc: null,
      minority_owned_business_designation: null,
      name: null,
      specified_commercial_transactions_act_url: null,
      support_address: null,
      support_email: null,
      support_phone: null,
      support_url: null,
      url: null,
      ...(business_profile as object),
    } satisfies Stripe.Account.BusinessProfile,
    requirements: { alternatives: [], ...(requirements as object) },
  }),
  application_fee: ({ id }) =>
    ({ application: 'ca_corner', fee_source: null, refunds: emptyList(`/v1/application_fees/${id}/refunds`) }) satisfies Rest<
      Stripe.ApplicationFee,
      'application' | 'fee_source' | 'refunds'
    >,
  balance_transaction: () => ({ balance_type: 'payments' }) satisfies Rest<Stripe.BalanceTransaction, 'balance_type'>,
  charge: ({ payment_method_details: details, source_transfer = null, transfer }: Shown) =>
    ({
      application: null,
      calculated_statement_descriptor: null,
      failure_balance_transaction: null,
      fraud_details: {},
      outcome: null,
      billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
      payment_method_details: details && { ...details, card: { ...card, ...details.card } },
      receipt_email: null,
      receipt_number: null,
      receipt_url: null,
      review: null,
      shipping: null,
      source: null,
      source_transfer,
      statement_descriptor: null,
      statement_descriptor_suffix: null,
      ...(transfer === null && { transfer: undefined }),
    }) satisfies Partial<{ [K in keyof Stripe.Charge]: Stripe.Charge[K] | undefined }>,
  customer: () =>
    ({
      default_source: null,
      shipping: null,
      invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    }) satisfies Rest<Stripe.Customer, 'default_source' | 'invoice_settings' | 'shipping'>,
  dispute: ({ evidence: given, evidence_details }) => ({
    enhanced_eligibility_types: [],
    intended_submission_method: null,
    evidence: { ...evidence, ...(given as object) },
    evidence_details: { enhanced_eligibility: {}, submission_method: 'manual', ...(evidence_details as object) },
  }),
  event: ({ data }) => {
    const { object, previous_attributes: before } = data as { readonly object: Fields; readonly previous_attributes?: Fields };
    return before === undefined ? {} : { data: { object, previous_attributes: wholePart(object['object'], before) } };
  },
  payment_intent: () =>
    ({
      application: null,
      customer_account: null,
      excluded_payment_method_types: null,
      managed_payments: null,
      payment_method_configuration_details: null,
      payment_method_options: {},
      payment_record: null,
      review: null,
      shipping: null,
      source: null,
      statement_descriptor: null,
    }) satisfies Partial<Stripe.PaymentIntent>,
  payout: () =>
    ({
      application_fee: null,
      application_fee_amount: null,
      balance_transaction: null,
      description: null,
      destination: null,
      failure_balance_transaction: null,
      failure_message: null,
      metadata: {},
      method: 'standard',
      original_payout: null,
      payout_method: null,
      reversed_by: null,
      source_type: 'card',
      statement_descriptor: null,
      trace_id: null,
      type: 'bank_account',
    }) satisfies Partial<Stripe.Payout>,
  refund: () => ({ customer: null, customer_account: null, payment_method: null, receipt_number: null }) satisfies Partial<Stripe.Refund>,
  transfer: ({ id }) => ({ reversals: emptyList(`/v1/transfers/${id}/reversals`) }) satisfies Rest<Stripe.Transfer, 'reversals'>,
  transfer_reversal: () => ({ destination_payment_refund: null }) satisfies Partial<Stripe.TransferReversal>,
};

/**
 * Returns an object as Stripe sends it: with every field that its types demand, and without the books' own. The same goes for objects
 * inside it.
 */
export function whole<T>(thing: T): T {
  return (Array.isArray(thing) ? thing.map(whole) : isFields(thing) ? wholeObject(thing) : thing) as T;
}

function wholeObject(thing: Fields): Fields {
  const { object, id, deleted } = thing;
  const kind = typeof object === 'string' && id !== undefined && deleted !== true ? object : '';
  const kept = Object.entries(thing).filter(([name]) => !own[kind]?.includes(name));
  const fields = Object.fromEntries(kept.map(([name, value]) => [name, name === 'metadata' ? value : whole(value)]));
  return { ...fields, ...rest[kind]?.(fields) };
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function wholePart(kind: unknown, part: Fields): Fields {
  const complete: Fields = { ...part, ...rest[String(kind)]?.(part) };
  return Object.fromEntries(Object.keys(part).map((name) => [name, complete[name]]));
}
