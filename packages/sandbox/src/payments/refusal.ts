import type { Intent } from './stripe-shapes.ts';

interface RefusalFields {
  readonly type?: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly charge?: string;
  readonly payment_intent?: Intent;
}

/** A refusal in Stripe's words: the HTTP status and the fields of its `error` object. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly fields: RefusalFields;
  constructor(status: number, message: string, fields: RefusalFields = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
  }

  /** The JSON body Stripe would answer with. */
  body(): unknown {
    const { type = 'invalid_request_error', code, ...rest } = this.fields;
    const about = code === undefined ? {} : { code, doc_url: `https://docs.stripe.com/error-codes#${code.replaceAll('_', '-')}` };
    return { error: { type, ...about, message: this.message, ...rest } };
  }

  /** A refusal made while carrying a request out stays under its idempotency key; one made before leaves the key free. */
  get storedUnderKey(): boolean {
    return this.status === 402 || this.status === 500 || carriedOut.has(this.fields.code ?? '');
  }
}

const carriedOut = new Set(['payment_intent_unexpected_state', 'charge_already_refunded', 'charge_disputed']);

/** No object of that kind has this id: 404 when the address names it, 400 when a parameter does. */
export function noSuch(what: string, id: string, param: string, status: 400 | 404 = 404): StripeRefusal {
  return new StripeRefusal(status, `No such ${what}: '${id}'`, { code: 'resource_missing', param });
}

/** The intent is in a state that does not allow this. The error carries the intent, as Stripe's does. */
export function unexpectedState(intent: Intent, message: string): StripeRefusal {
  return new StripeRefusal(400, message, { code: 'payment_intent_unexpected_state', payment_intent: intent });
}

/** A parameter is present but not usable. */
export function badParameter(param: string, message: string, code?: string): StripeRefusal {
  return new StripeRefusal(400, message, code === undefined ? { param } : { code, param });
}

/** A parameter that must be there is not. */
export const missingParameter = (param: string): StripeRefusal =>
  badParameter(param, `Missing required param: ${param}.`, 'parameter_missing');
