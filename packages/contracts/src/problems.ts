/**
 * Every named refusal: its HTTP status, the sentence a caller reads, why it happens and what to do about it.
 * A message may be replaced by a more exact one where it is thrown; the code and status never change.
 */
export const problems = {
  // Shared by every operation
  INVALID_JSON: {
    status: 400,
    message: 'The body is not valid JSON.',
    cause: 'The body could not be parsed.',
    fix: 'Send one JSON object with Content-Type: application/json.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    message: 'The request is not proper HTTP.',
    cause: 'Two readers could disagree about where it ends or whom it is for: its framing or its Host is wrong.',
    fix: 'Send it with an ordinary HTTP client.',
  },
  VALIDATION_FAILED: {
    status: 400,
    message: 'The request does not fit the operation.',
    cause: 'A field is missing, of the wrong type, or out of range.',
    fix: 'Correct the field that the message names.',
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 400,
    message: 'This deployment requires the Idempotency-Key header on changes.',
    cause: 'The header is absent.',
    fix: 'Send Idempotency-Key with a fresh UUID, and the same one on a retry.',
  },
  UNAUTHENTICATED: {
    status: 401,
    message: 'A valid access token is required.',
    cause: 'The bearer token is missing, malformed, expired or not ours.',
    fix: 'Send Authorization: Bearer with a current access token.',
  },
  WRONG_TOKEN_TYPE: {
    status: 403,
    message: 'This token is of another kind than the operation needs.',
    cause: 'For example a customer token on a merchant operation.',
    fix: 'Call with the kind of token the reference names.',
  },
  STORE_FORBIDDEN: {
    status: 403,
    message: 'This token does not hold that store.',
    cause: 'store_id is not among the stores of the token.',
    fix: 'Use a store the caller belongs to.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    message: 'This token lacks a scope the operation needs.',
    cause: 'The scope claim does not hold the named scope.',
    fix: 'Request a token with the scope.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    message: 'There is no such route.',
    cause: 'The path is not part of the interface.',
    fix: 'Check the path against the reference.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'The route does not take this method.',
    cause: 'The path exists, the method does not.',
    fix: 'Use one of the methods in the Allow header.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    message: 'Only application/json can be answered.',
    cause: 'The Accept header excludes JSON.',
    fix: 'Accept application/json.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request did not arrive in time.',
    cause: 'Its headers or its body came too slowly.',
    fix: 'Repeat it with the same idempotency key.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The body is larger than 64 KiB.',
    cause: 'The body is over the limit.',
    fix: 'Send a smaller body.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'The body must be application/json.',
    cause: 'Content-Type is missing or something else.',
    fix: 'Send Content-Type: application/json.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    message: 'The headers are larger than 16 KiB, or more than 100.',
    cause: 'The headers are over the limit.',
    fix: 'Send fewer or shorter headers.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This idempotency key was used for a different request.',
    cause: 'The key is known with other contents.',
    fix: 'Use a fresh key for a new request.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    message: 'A request with this idempotency key is still running.',
    cause: 'Its twin has not finished.',
    fix: 'Repeat after the Retry-After seconds.',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests.',
    cause: 'The bucket named in RateLimit-Policy is empty.',
    fix: 'Repeat after the Retry-After seconds.',
  },
  INTERNAL: {
    status: 500,
    message: 'Something went wrong on our side.',
    cause: 'A fault of ours; it is logged under the request id.',
    fix: 'Repeat with the same idempotency key; quote the request id if it stays.',
  },
  NOT_IMPLEMENTED: {
    status: 501,
    message: 'This operation is promised but not built yet.',
    cause: 'The interface is complete on paper before it is built.',
    fix: 'Watch the changelog.',
  },
  UPSTREAM_UNAVAILABLE: {
    status: 503,
    message: 'The service is not reachable right now.',
    cause: 'It is restarting, overloaded or away.',
    fix: 'Repeat after the Retry-After seconds with the same idempotency key.',
  },

  // Stores and input shared by several
  STORE_NOT_FOUND: { status: 404, message: 'There is no such store.', cause: 'Unknown store id or code.', fix: 'Check the store.' },
  INVALID_CURSOR: {
    status: 400,
    message: 'The cursor is not one of ours.',
    cause: 'before_id without before, or a time that cannot be read.',
    fix: 'Send created_at and id of the same row, as they were answered.',
  },

  // Orders
  ORDER_NOT_FOUND: {
    status: 404,
    message: 'There is no such order.',
    cause: 'Unknown id, or an order of another store or customer.',
    fix: 'Check the id and the store.',
  },
  STORE_CODE_MISMATCH: {
    status: 400,
    message: 'store_code is not the code of store_id.',
    cause: 'The two name different stores.',
    fix: 'Send the code and id of one store.',
  },
  STORE_NOT_ACCEPTING_ORDERS: {
    status: 409,
    message: 'The store does not take orders at the moment.',
    cause: 'It is dark, or its payment account is not connected.',
    fix: 'Try later or at the counter.',
  },
  STORE_CLOSED: {
    status: 409,
    message: 'The store is closed.',
    cause: 'Outside its opening hours.',
    fix: 'Order inside the opening hours, or choose a slot.',
  },
  ITEM_NOT_FOUND: {
    status: 422,
    message: 'An item is not on the menu.',
    cause: 'Unknown item, or of another store.',
    fix: 'Load the menu again.',
  },
  OUT_OF_STOCK: {
    status: 409,
    message: 'An item is sold out.',
    cause: 'Fewer are left than asked for.',
    fix: 'Take fewer or something else.',
  },
  SLOT_NOT_FOUND: {
    status: 404,
    message: 'There is no such collection slot.',
    cause: 'Unknown slot, or of another store.',
    fix: 'Load the slots again.',
  },
  SLOT_CLOSED: { status: 409, message: 'The collection slot is closed.', cause: 'It was closed or is past.', fix: 'Choose another slot.' },
  SLOT_JUST_FILLED: {
    status: 409,
    message: 'The collection slot has just filled up.',
    cause: 'Somebody else took the last place.',
    fix: 'Choose another slot.',
  },
  SLOT_MISMATCH: {
    status: 400,
    message: 'slot_id and requested_collection_at name different slots.',
    cause: 'The time does not lie in the slot.',
    fix: 'Send one of the two.',
  },
  GROUPS_MISMATCH: {
    status: 400,
    message: 'items and fulfilment_groups disagree.',
    cause: 'items is neither empty nor the sum of the groups, or there is more than one now group.',
    fix: 'Leave items empty when sending groups.',
  },
  PROMO_INVALID: { status: 422, message: 'The promo code is not valid.', cause: 'Unknown or switched off.', fix: 'Check the code.' },
  PROMO_EXPIRED: {
    status: 422,
    message: 'The promo code is not valid at this time.',
    cause: 'Before its start or after its end.',
    fix: 'Order without it.',
  },
  PROMO_NOT_APPLICABLE: {
    status: 422,
    message: 'The promo code does not apply to this order.',
    cause: 'Below its minimum, not a first order, or it would cut nothing.',
    fix: 'Order without it.',
  },
  PROMO_LIMIT_REACHED: {
    status: 409,
    message: 'The promo code is used up.',
    cause: 'All its uses, or all of yours, are taken.',
    fix: 'Order without it.',
  },
  VOUCHER_NOT_FOUND: {
    status: 404,
    message: 'There is no such voucher.',
    cause: 'Unknown, or somebody else’s.',
    fix: 'Load the vouchers again.',
  },
  VOUCHER_EXPIRED: { status: 409, message: 'The voucher has expired.', cause: 'Its last day is past.', fix: 'Order without it.' },
  VOUCHER_RESERVED: {
    status: 409,
    message: 'The voucher is part of another unpaid order.',
    cause: 'It is reserved until that order is paid or lapses.',
    fix: 'Pay or cancel that order first.',
  },
  VOUCHER_ALREADY_REDEEMED: {
    status: 409,
    message: 'The voucher has been redeemed.',
    cause: 'It was used before.',
    fix: 'Choose another voucher.',
  },
  VOUCHER_VOIDED: {
    status: 409,
    message: 'The voucher is void.',
    cause: 'The stamps behind it were taken back.',
    fix: 'Choose another voucher.',
  },
  VOUCHER_NOT_APPLICABLE: {
    status: 422,
    message: 'The voucher does not apply to this order.',
    cause: 'It would cut nothing.',
    fix: 'Order without it.',
  },
  AMOUNT_BELOW_MINIMUM: {
    status: 422,
    message: 'The amount is below what a card payment can carry.',
    cause: 'Totals from 1 to 29 pence cannot be charged.',
    fix: 'Add something, or pay at the counter.',
  },
  ORDER_NOT_PAID: { status: 409, message: 'The order is not paid.', cause: 'Payment has not succeeded.', fix: 'Wait for the payment.' },
  INVALID_TRANSITION: {
    status: 409,
    message: 'The order cannot move to that status from where it is.',
    cause: 'The move is not in the transition table.',
    fix: 'Make one of the moves the message names.',
  },
  FULFILMENT_NOT_APPLICABLE: {
    status: 409,
    message: 'This order is served at once and has no fulfilment steps.',
    cause: 'It is a buy_now order.',
    fix: 'Set its status instead.',
  },
  NOTE_REQUIRED: { status: 400, message: 'note is required for this move.', cause: 'A correction must say why.', fix: 'Send a note.' },
  ORDER_TERMINAL: {
    status: 409,
    message: 'The order has ended.',
    cause: 'It was collected, fulfilled or cancelled.',
    fix: 'Nothing is left to do.',
  },
  INVALID_ETA: {
    status: 400,
    message: 'The new time is not usable.',
    cause: 'Neither delayMinutes nor newReadyAt, a past time, or more than 24 hours away.',
    fix: 'Send delayMinutes 1 to 480, or a later newReadyAt.',
  },
  REFUND_WINDOW_EXPIRED: {
    status: 409,
    message: 'The refund window of this order is over.',
    cause: 'It was paid too long ago.',
    fix: 'Settle it outside the platform.',
  },
  ALREADY_REFUNDED: {
    status: 409,
    message: 'Nothing is left to refund.',
    cause: 'The whole amount has been refunded.',
    fix: 'Nothing is left to do.',
  },
  ORDER_DISPUTED: {
    status: 409,
    message: 'The payment is disputed.',
    cause: 'The customer’s bank has opened a dispute.',
    fix: 'Answer the dispute with the provider.',
  },
  REFUND_LIMIT_REACHED: {
    status: 409,
    message: 'This order has had the most refunds it can have.',
    cause: 'Twenty refunds an order.',
    fix: 'Settle the rest outside the platform.',
  },
  REFUND_AMOUNT_EXCEEDS_REMAINING: {
    status: 422,
    message: 'The amount is more than is left to refund.',
    cause: 'Refunds cannot exceed what was paid.',
    fix: 'Refund at most what the message names.',
  },
  REFUND_REJECTED: {
    status: 502,
    message: 'The payment provider refused the refund.',
    cause: 'For example a balance that cannot carry it.',
    fix: 'See the provider’s reason in the order log.',
  },
  ORDER_NOT_READY: {
    status: 409,
    message: 'The order is not ready yet.',
    cause: 'Only a ready order can be collected earlier.',
    fix: 'Wait until it is ready.',
  },
  ORDER_HAS_NO_SLOT: {
    status: 409,
    message: 'The order has no collection slot.',
    cause: 'It was not booked onto one.',
    fix: 'Come by; nothing needs moving.',
  },
  NOT_EARLIER: {
    status: 400,
    message: 'That slot is not earlier than the booked one.',
    cause: 'It starts at the same time or later.',
    fix: 'Choose an earlier slot.',
  },
  PAYMENT_NOT_SUCCEEDED: {
    status: 409,
    message: 'The payment has not succeeded.',
    cause: 'It is still open, processing, or was declined.',
    fix: 'Finish the payment, then confirm again.',
  },
  PAYMENT_MISMATCH: {
    status: 409,
    message: 'The payment does not match the order.',
    cause: 'Order, amount, currency or destination differ.',
    fix: 'Quote the request id to support.',
  },
  PAYMENT_INTENT_NOT_ON_PLATFORM: {
    status: 409,
    message: 'The payment is not on the platform account.',
    cause: 'The provider does not know it there.',
    fix: 'Confirm the intent that create answered.',
  },
  PAYMENT_PROVIDER_ERROR: {
    status: 502,
    message: 'The payment provider could not do it.',
    cause: 'It refused or did not answer.',
    fix: 'Repeat with the same idempotency key.',
  },
  WEBHOOK_SIGNATURE_INVALID: {
    status: 400,
    message: 'The webhook signature does not verify.',
    cause: 'Another secret, a changed body, or a timestamp over five minutes old.',
    fix: 'Check the endpoint’s signing secret.',
  },

  // Loyalty
  LOYALTY_DISABLED: {
    status: 409,
    message: 'The store runs no loyalty programme.',
    cause: 'It is switched off or was never set up.',
    fix: 'Ask the store.',
  },
  DAILY_LIMIT_REACHED: {
    status: 409,
    message: 'No more stamps for this customer today.',
    cause: 'The store’s daily limit is reached.',
    fix: 'Come back tomorrow.',
  },
  MONTHLY_LIMIT_REACHED: {
    status: 409,
    message: 'The store’s plan has no stamps left this month.',
    cause: 'The plan’s monthly quota is reached.',
    fix: 'Upgrade the plan.',
  },
  STAMP_NOT_FOUND: {
    status: 404,
    message: 'There is no such stamp.',
    cause: 'Unknown id, or a stamp of another store.',
    fix: 'Check the id and the store.',
  },
  STAMP_ALREADY_REJECTED: {
    status: 409,
    message: 'The stamp was rejected.',
    cause: 'A rejected stamp cannot be approved.',
    fix: 'Grant a new one.',
  },
  STAMP_ALREADY_APPROVED: {
    status: 409,
    message: 'The stamp was approved.',
    cause: 'An approved stamp cannot be rejected.',
    fix: 'Undo it if it was granted here.',
  },
  STAMP_NOT_UNDOABLE: {
    status: 409,
    message: 'Only a stamp granted by the store can be undone.',
    cause: 'It came from another source.',
    fix: 'Leave it as it is.',
  },
  STAMP_ALREADY_USED: {
    status: 409,
    message: 'The stamp has become part of a voucher.',
    cause: 'It was consumed.',
    fix: 'Leave it as it is.',
  },
  CODE_NOT_FOUND: {
    status: 404,
    message: 'There is no such stamp code.',
    cause: 'Mistyped, or never minted.',
    fix: 'Type it again or ask for a new one.',
  },
  CODE_EXPIRED: { status: 410, message: 'The stamp code has expired.', cause: 'Its seconds are over.', fix: 'Ask for a new one.' },
  CODE_ALREADY_USED: {
    status: 409,
    message: 'The stamp code has been used.',
    cause: 'Somebody else redeemed it.',
    fix: 'Ask for a new one.',
  },
  CODE_WRONG_STORE: {
    status: 409,
    message: 'The stamp code belongs to another store.',
    cause: 'It was minted elsewhere.',
    fix: 'Redeem it at its own store.',
  },
  NFC_PROOF_INCOMPLETE: {
    status: 400,
    message: 'The three nfc_ fields form one proof.',
    cause: 'One or two of them are missing.',
    fix: 'Send nfc_picc_data, nfc_cmac and nfc_key_version together.',
  },
  NFC_PROOF_REQUIRED: {
    status: 403,
    message: 'This store asks for a tap on its tag.',
    cause: 'The store enforces NFC.',
    fix: 'Tap the tag.',
  },
  NFC_PROOF_INVALID: { status: 403, message: 'The tap does not verify.', cause: 'The proof is not one of our tags’.', fix: 'Tap again.' },
  NFC_TAG_WRONG_STORE: {
    status: 403,
    message: 'The tag belongs to another store.',
    cause: 'It was registered elsewhere.',
    fix: 'Tap this store’s tag.',
  },
  NFC_TAP_REPLAYED: { status: 409, message: 'This tap has been used.', cause: 'Each tap counts once.', fix: 'Tap again.' },
  MULTI_STAMP_DISABLED: {
    status: 403,
    message: 'The store has switched multi-stamp off.',
    cause: 'Its kill switch is on.',
    fix: 'Ask the store.',
  },
  PLAN_NOT_ENTITLED: {
    status: 403,
    message: 'The store’s plan does not hold this feature.',
    cause: 'It is not among its entitlements.',
    fix: 'Upgrade the plan.',
  },
  STORE_FROZEN: { status: 409, message: 'The store is dark at the moment.', cause: 'Its status is dark.', fix: 'Try later.' },
  MULTI_STAMP_MONTHLY_CEILING: {
    status: 409,
    message: 'No more multi-stamp requests this month.',
    cause: 'The monthly ceiling a customer has is reached.',
    fix: 'Come back next month.',
  },
  MULTI_STAMP_PENDING: {
    status: 409,
    message: 'A request is already waiting.',
    cause: 'One at a time.',
    fix: 'Confirm, cancel, or wait until it lapses.',
  },
  MULTI_STAMP_EXPIRED: { status: 409, message: 'The request has lapsed.', cause: 'Its 60 seconds are over.', fix: 'Make a new request.' },
  NO_PENDING_REQUEST: {
    status: 404,
    message: 'There is no request waiting.',
    cause: 'None was made, or it is another customer’s.',
    fix: 'Make a request first.',
  },
  STAFF_CREDENTIAL_REQUIRED: {
    status: 401,
    message: 'A staff credential is required.',
    cause: 'Neither staff_secret nor a staff token was sent.',
    fix: 'Tap the staff card or send X-Staff-Token.',
  },
  STAFF_CREDENTIAL_INVALID: {
    status: 403,
    message: 'The staff credential does not verify.',
    cause: 'Unknown, revoked, expired, or of another store.',
    fix: 'Use a current card of this store.',
  },

  // Queue
  WALK_INS_NOT_ACCEPTED: {
    status: 409,
    message: 'The store takes no walk-ins.',
    cause: 'Its walk-in switch is off.',
    fix: 'Book instead.',
  },
  NO_CAPACITY_TODAY: {
    status: 409,
    message: 'Nobody is free for this today.',
    cause: 'The diary has no gap that fits.',
    fix: 'Choose another service or another day.',
  },
  SERVICE_NOT_FOUND: {
    status: 422,
    message: 'The store does not offer that service.',
    cause: 'Unknown service_id.',
    fix: 'Load the services again.',
  },
  UNIT_NOT_FOUND: { status: 422, message: 'The store has no such chair.', cause: 'Unknown preferred_unit_id.', fix: 'Omit it for anyone.' },
  QUEUE_ENTRY_NOT_FOUND: {
    status: 404,
    message: 'There is no such queue entry.',
    cause: 'Unknown id, or somebody else’s.',
    fix: 'Check the id.',
  },
} as const satisfies Record<string, ProblemDescription>;

export interface ProblemDescription {
  readonly status: number;
  readonly message: string;
  readonly cause: string;
  readonly fix: string;
}

export type ProblemCode = keyof typeof problems;

/** Refusals any operation may answer; contracts list only their own beside these. */
export const commonProblems = [
  'INVALID_JSON',
  'VALIDATION_FAILED',
  'UNAUTHENTICATED',
  'WRONG_TOKEN_TYPE',
  'STORE_FORBIDDEN',
  'METHOD_NOT_ALLOWED',
  'NOT_ACCEPTABLE',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'INTERNAL',
  'UPSTREAM_UNAVAILABLE',
] as const satisfies readonly ProblemCode[];

/** Refusals of operations with `replay: 'header'`. */
export const replayProblems = [
  'IDEMPOTENCY_KEY_REQUIRED',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_IN_PROGRESS',
] as const satisfies readonly ProblemCode[];

export interface ProblemOptions extends ErrorOptions {
  /** A sentence more exact than the catalogue's: it names the field and the fix. Never a secret or personal data. */
  readonly message?: string;
  /** Seconds after which a repeat makes sense; becomes Retry-After. */
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A named refusal. Thrown anywhere below a door, it becomes the error envelope with the catalogue's status. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(options.message ?? problems[code].message, options);
    this.name = 'Problem';
    this.code = code;
    this.status = problems[code].status;
    this.headers = {
      // RFC 9110 asks for a challenge with every 401.
      ...(this.status === 401 ? { 'WWW-Authenticate': 'Bearer realm="corner"' } : {}),
      ...options.headers,
      ...(options.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(options.retryAfterSeconds) }),
    };
  }
}
