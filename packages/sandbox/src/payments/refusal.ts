import type { Intent } from './stripe-shapes.ts';

interface RefusalFields {
  readonly type?: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly charge?: string;
  readonly payment_intent?: Intent;
}

export class StripeRefusal extends Error {
  readonly status: number;
  readonly fields: RefusalFields;
  constructor(status: number, message: string, fields: RefusalFields = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
  }

  body(version: 1 | 2 = 1): unknown {
    if (version === 2)
      return { error: { code: this.fields.code === 'parameter_unknown' ? 'invalid_fields' : this.fields.code, message: this.message } };
    const { type = 'invalid_request_error', code, ...rest } = this.fields;
    const about = code === undefined ? {} : { code, doc_url: `https://docs.stripe.com/error-codes#${code.replaceAll('_', '-')}` };
    return { error: { type, ...about, message: this.message, ...rest } };
  }

  get storedUnderKey(): boolean {
    return this.status === 402 || this.status === 500 || carriedOut.has(this.fields.code ?? '');
  }
}

const carriedOut = new Set(['payment_intent_unexpected_state', 'balance_insufficient', 'charge_already_refunded', 'charge_disputed']);

export function noSuch(what: string, id: string, param: string, status: 400 | 404 = 404): StripeRefusal {
  return new StripeRefusal(status, `No such ${what}: '${id}'`, { code: 'resource_missing', param });
}

export function unexpectedState(intent: Intent, message: string): StripeRefusal {
  return new StripeRefusal(400, message, { code: 'payment_intent_unexpected_state', payment_intent: intent });
}

export function badParameter(param: string, message: string, code?: string): StripeRefusal {
  return new StripeRefusal(400, message, code === undefined ? { param } : { code, param });
}

export const missingParameter = (param: string): StripeRefusal =>
  badParameter(param, `Missing required param: ${param}.`, 'parameter_missing');
