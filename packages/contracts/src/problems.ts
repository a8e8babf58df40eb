/**
 * Every problem by its code: the HTTP status, whether it is final, the message in the response, why it happens and what to do about it.
 * Code that throws a problem may replace its message by a more exact one; the code and the status never change.
 *
 * A refusal is final when the same request will never be accepted, whatever happens later. Time, another person, the payment provider or a
 * new setting of the store may lift every other refusal. When in doubt a refusal is not final: it is then decided anew for a repeat.
 */
export const problems = {
  // Any operation
  INVALID_JSON: {
    status: 400,
    final: true,
    message: 'The body is not valid JSON.',
    cause: 'The body could not be parsed.',
    fix: 'Send one JSON object with Content-Type: application/json.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    final: true,
    message: 'The request is not valid HTTP.',
    cause: 'Its framing or its Host header is wrong, so two servers could read it differently.',
    fix: 'Send it with an ordinary HTTP client.',
  },
  VALIDATION_FAILED: {
    status: 400,
    final: false,
    message: 'The request does not match the operation’s schema.',
    cause: 'A field is missing, of the wrong type, or out of range.',
    fix: 'Correct the field that the message names.',
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 400,
    final: true,
    message: 'This deployment requires the Idempotency-Key header on every change.',
    cause: 'The header is absent.',
    fix: 'Send Idempotency-Key with a fresh UUID, and the same UUID on a retry.',
  },
  UNAUTHENTICATED: {
    status: 401,
    final: false,
    message: 'A valid access token is required.',
    cause: 'The bearer token is missing, malformed, expired, or signed by an unknown issuer.',
    fix: 'Send Authorization: Bearer with a current access token.',
  },
  WRONG_TOKEN_TYPE: {
    status: 403,
    final: false,
    message: 'This operation needs another type of token.',
    cause: 'For example, a customer token on a merchant operation.',
    fix: 'Use the type of token that the reference names for this operation.',
  },
  STORE_FORBIDDEN: {
    status: 403,
    final: false,
    message: 'This token does not authorise that store.',
    cause: 'store_id is not among the stores of the token.',
    fix: 'Use a store that the caller belongs to.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    final: false,
    message: 'This token lacks the scope that the operation needs.',
    cause: 'The scope claim does not contain the scope.',
    fix: 'Request a token with the scope that the reference names.',
  },
  INSUFFICIENT_ROLE: {
    status: 403,
    final: false,
    message: 'This needs a higher role at the store.',
    cause: 'The reference names the role of the operation, or the store limits what staff may do; the token has a lower role there.',
    fix: 'Ask a manager or the owner of the store to do it.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    final: false,
    message: 'There is no such route.',
    cause: 'The path is not part of the interface.',
    fix: 'Check the path against the reference.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    final: true,
    message: 'This route does not accept that method.',
    cause: 'The path exists, but not with this method.',
    fix: 'Use one of the methods in the Allow header.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    final: true,
    message: 'Responses are application/json only.',
    cause: 'The Accept header excludes JSON.',
    fix: 'Accept application/json.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    final: false,
    message: 'The request did not arrive in time.',
    cause: 'Its headers or body arrived too slowly.',
    fix: 'Repeat it with the same idempotency key.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    final: true,
    message: 'The body is larger than 64 KiB.',
    cause: 'The body is over the limit.',
    fix: 'Send a smaller body.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    final: true,
    message: 'The body must be application/json.',
    cause: 'Content-Type is missing, or is not application/json.',
    fix: 'Send Content-Type: application/json.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    final: true,
    message: 'The headers exceed 16 KiB, or there are more than 100.',
    cause: 'The headers are over the limit.',
    fix: 'Send fewer or shorter headers.',
  },
  EXPECTATION_FAILED: {
    status: 417,
    final: true,
    message: 'The Expect header asks for something that no server here does.',
    cause: 'Only Expect: 100-continue is known.',
    fix: 'Leave the header out.',
  },
  VERSION_REQUIRED: {
    status: 428,
    final: true,
    message: 'This change needs the If-Match header.',
    cause: 'The object is edited by several people, so a change names the version that it is made to.',
    fix: 'Read the object, and send its ETag in If-Match; or `*` to change whatever is there.',
  },
  VERSION_CONFLICT: {
    status: 412,
    final: false,
    message: 'The object has another version by now.',
    cause: 'Someone changed it after it was read.',
    fix: 'Read it again, and make the change to the version that the message names.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    final: true,
    message: 'This idempotency key was used for a different request.',
    cause: 'The key was first used with other contents.',
    fix: 'Use a fresh key for a new request.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    final: false,
    message: 'A request with this idempotency key is still running.',
    cause: 'The first request with the key has not finished.',
    fix: 'Repeat it after the seconds in Retry-After.',
  },
  RATE_LIMITED: {
    status: 429,
    final: false,
    message: 'Too many requests.',
    cause: 'The quota named in RateLimit-Policy is used up.',
    fix: 'Repeat it after the seconds in Retry-After.',
  },
  INTERNAL: {
    status: 500,
    final: false,
    message: 'Something went wrong on our side.',
    cause: 'A fault on our side. It is logged under the request id.',
    fix: 'Repeat it with the same idempotency key. If it fails again, contact us and quote the request id.',
  },
  NOT_IMPLEMENTED: {
    status: 501,
    final: false,
    message: 'This operation is not available yet.',
    cause: 'It is part of the interface but not built yet.',
    fix: 'Watch the changelog.',
  },
  UPSTREAM_UNAVAILABLE: {
    status: 503,
    final: false,
    message: 'The service is not reachable right now.',
    cause: 'It is restarting, overloaded or down.',
    fix: 'Repeat it after the seconds in Retry-After, with the same idempotency key.',
  },

  // Several services
  STORE_NOT_FOUND: {
    status: 404,
    final: false,
    message: 'There is no such store.',
    cause: 'The store id or code is unknown.',
    fix: 'Check the store id or code.',
  },
  INVALID_CURSOR: {
    status: 400,
    final: true,
    message: 'The cursor is not valid.',
    cause: 'before_id was sent without before, before is not a time, or the store has no such row.',
    fix: 'Send created_at and id of the same row, exactly as the list returned them.',
  },

  // Directory
  STORE_CODE_TAKEN: {
    status: 409,
    final: false,
    message: 'Another store has this code.',
    cause: 'A code names one store, without regard to case.',
    fix: 'Choose another code.',
  },
  TAG_TAKEN: {
    status: 409,
    final: false,
    message: 'Another store has a tag with this number.',
    cause: 'A tag belongs to one store.',
    fix: 'Check the uid, or have the other store remove the tag.',
  },
  STAFF_NOT_FOUND: {
    status: 404,
    final: false,
    message: 'No such person works at the store.',
    cause: 'The id is unknown, or the person works at other stores only.',
    fix: 'List the staff of the store.',
  },
  STAFF_EXISTS: {
    status: 409,
    final: false,
    message: 'The person works at the store already.',
    cause: 'A person is added to a store once.',
    fix: 'Change the role with changeStaff.',
  },
  LAST_OWNER: {
    status: 409,
    final: false,
    message: 'The store would have no owner.',
    cause: 'The change dismisses the last owner or lowers their role.',
    fix: 'Make another person owner first.',
  },
  BOOKING_NOT_FOUND: {
    status: 404,
    final: false,
    message: 'There is no such booking.',
    cause: 'The id is unknown, or the booking belongs to another store.',
    fix: 'List the bookings of the store.',
  },
  CUSTOMER_NOT_FOUND: {
    status: 404,
    final: false,
    message: 'There is no such customer.',
    cause: 'The directory has no customer with this id.',
    fix: 'Check the id; a customer appears with the first change of the own profile.',
  },
  ERASURE_NOT_FOUND: {
    status: 404,
    final: false,
    message: 'There is no such erasure.',
    cause: 'No erasure has this receipt.',
    fix: 'Check the receipt: the reply that began the erasure holds it.',
  },
  TOKENS_ISSUED_ELSEWHERE: {
    status: 409,
    final: false,
    message: 'This deployment does not issue access tokens: they come from its identity provider.',
    cause: 'The directory service has no signing keys: TOKEN_SIGNING_KEYS is not set.',
    fix: 'Use the access token of the identity provider.',
  },
  ID_TOKEN_INVALID: {
    status: 401,
    final: false,
    message: 'The ID token is not accepted.',
    cause:
      'It is malformed, expired or more than ten minutes old, signed by an unknown key, of another issuer or for another client, or no ID token. The message says which.',
    fix: 'Sign in at the identity provider again, and send the ID token that it returns.',
  },
  ID_TOKEN_USED: {
    status: 409,
    final: true,
    message: 'The ID token was exchanged before.',
    cause: 'An ID token is exchanged once.',
    fix: 'Refresh the session that it began, repeat that request with its Idempotency-Key, or sign in again.',
  },
  SESSION_ENDED: {
    status: 401,
    final: false,
    message: 'The session has ended.',
    cause: 'It was signed out, was not used for too long, or its refresh token was used twice. An unknown refresh token gets the same.',
    fix: 'Sign in again.',
  },
  INVITATION_NOT_FOUND: {
    status: 404,
    final: false,
    message: 'There is no such invitation.',
    cause: 'The id is unknown or belongs to another store, or the link is not complete.',
    fix: 'List the invitations of the store, or open the link exactly as the mail has it.',
  },
  INVITATION_ENDED: {
    status: 409,
    final: true,
    message: 'The invitation has ended.',
    cause:
      'It was accepted by another person or withdrawn, is more than seven days old, or the person who sent it may no longer invite to the role.',
    fix: 'Ask a manager or the owner of the store for a new one.',
  },
  PARTNER_NOT_FOUND: {
    status: 404,
    final: false,
    message: 'There is no such partner.',
    cause: 'The id is unknown, or the partner is not one of this store.',
    fix: 'List the partners of the store.',
  },
  CLIENT_INVALID: {
    status: 401,
    final: false,
    message: 'The client credentials are not accepted.',
    cause: 'The client id is unknown, its secret is wrong or was replaced, or the partner was withdrawn.',
    fix: 'Check both; the owner of the store can give the partner a new secret.',
  },

  // Orders
  ORDER_NOT_FOUND: {
    status: 404,
    final: true,
    message: 'There is no such order.',
    cause: 'The id is unknown, or the order belongs to another store or customer.',
    fix: 'Check the id and the store.',
  },
  PRINTER_NOT_FOUND: {
    status: 404,
    final: true,
    message: 'There is no such printer.',
    cause: 'The store has no printer, or none with this id.',
    fix: 'List the printers of the store, or add one.',
  },
  MENU_ITEM_NOT_FOUND: {
    status: 404,
    final: true,
    message: 'There is no such item.',
    cause: 'The menu of the store has no item with this id.',
    fix: 'Read the switches of the store: they name every item.',
  },
  STORE_CODE_MISMATCH: {
    status: 400,
    final: false,
    message: 'store_code and store_id name different stores.',
    cause: 'The code does not belong to the store with that id.',
    fix: 'Send the code and the id of one store.',
  },
  STORE_NOT_ACCEPTING_ORDERS: {
    status: 409,
    final: false,
    message: 'The store is not accepting orders at the moment.',
    cause:
      'It is switched off (dark) or has paused orders, its payment account is not connected, or the payment provider restricts that account or declines its payments.',
    fix: 'Try again later, or order at the counter.',
  },
  STORE_CLOSED: {
    status: 409,
    final: false,
    message: 'The store is closed.',
    cause: 'The order was placed outside the opening hours, or while the store is closed by an exception to them.',
    fix: 'Order within the opening hours, or choose a collection slot.',
  },
  ITEM_NOT_FOUND: {
    status: 422,
    final: false,
    message: 'An item is not on the menu.',
    cause: 'The item is unknown, or belongs to another store.',
    fix: 'Load the menu again.',
  },
  CHOICES_INVALID: {
    status: 422,
    final: false,
    message: 'The choices of a line are not what its item needs.',
    cause: 'An option has too few or too many choices. The message names the item, the option and how many it takes.',
    fix: 'Send as many choices of each option as the menu says.',
  },
  PRICE_CHANGED: {
    status: 409,
    final: false,
    message: 'The total is another by now.',
    cause: 'A price, the menu or the tip is not what expected_total_pence was made of. The order holds nothing.',
    fix: 'Show the new total, which total_pence of the error has, and send the order again with it.',
  },
  OUT_OF_STOCK: {
    status: 409,
    final: false,
    message: 'An item is sold out.',
    cause: 'Fewer are left than were ordered, or staff marked it as sold out. The message names the item.',
    fix: 'Order fewer, or choose another item.',
  },
  SLOT_NOT_FOUND: {
    status: 404,
    final: false,
    message: 'There is no such collection slot.',
    cause: 'The slot is unknown, or belongs to another store.',
    fix: 'Load the slots again.',
  },
  SLOT_CLOSED: {
    status: 409,
    final: false,
    message: 'The collection slot is closed.',
    cause: 'The store closed it, a closure of the store overlaps it, or its time is past.',
    fix: 'Choose another slot.',
  },
  SLOT_JUST_FILLED: {
    status: 409,
    final: false,
    message: 'The collection slot has just filled up.',
    cause: 'Another customer took the last place.',
    fix: 'Choose another slot.',
  },
  SLOT_MISMATCH: {
    status: 400,
    final: false,
    message: 'slot_id and requested_collection_at name different slots.',
    cause: 'requested_collection_at lies outside the slot.',
    fix: 'Send only one of the two.',
  },
  GROUPS_MISMATCH: {
    status: 400,
    final: true,
    message: 'items and fulfilment_groups disagree.',
    cause: 'items is neither empty nor the sum of the groups, or there is more than one group with the role now.',
    fix: 'Leave items empty when you send fulfilment_groups, and send at most one now group.',
  },
  PROMO_INVALID: {
    status: 422,
    final: false,
    message: 'The promo code is not valid.',
    cause: 'It is unknown or switched off.',
    fix: 'Check the code, or order without it.',
  },
  PROMO_EXPIRED: {
    status: 422,
    final: false,
    message: 'The promo code is not valid at this time.',
    cause: 'It has not started yet, or it has ended.',
    fix: 'Order without it.',
  },
  PROMO_NOT_APPLICABLE: {
    status: 422,
    final: false,
    message: 'The promo code does not apply to this order.',
    cause: 'The order is below the minimum, is not a first order, or would not become cheaper.',
    fix: 'Order without it.',
  },
  PROMO_LIMIT_REACHED: {
    status: 409,
    final: false,
    message: 'The promo code is used up.',
    cause: 'All its uses, or all uses of this customer, are taken.',
    fix: 'Order without it.',
  },
  VOUCHER_NOT_FOUND: {
    status: 404,
    final: true,
    message: 'There is no such voucher.',
    cause: 'It is unknown, or belongs to another customer.',
    fix: 'Load the vouchers again.',
  },
  VOUCHER_EXPIRED: {
    status: 409,
    final: true,
    message: 'The voucher has expired.',
    cause: 'Its expiry date is past.',
    fix: 'Choose another voucher, or order without one.',
  },
  VOUCHER_RESERVED: {
    status: 409,
    final: false,
    message: 'The voucher is reserved for another unpaid order.',
    cause:
      'It stays reserved until that order is paid, cancelled or expires; or a payment that earned it is disputed, as the message then says.',
    fix: 'Pay or cancel that order first, or wait until the dispute is decided.',
  },
  VOUCHER_ALREADY_REDEEMED: {
    status: 409,
    final: false,
    message: 'The voucher has already been redeemed.',
    cause: 'A voucher can be used once.',
    fix: 'Choose another voucher.',
  },
  VOUCHER_VOIDED: {
    status: 409,
    final: false,
    message: 'The voucher is void.',
    cause: 'The stamps that earned it were taken back.',
    fix: 'Choose another voucher.',
  },
  VOUCHER_NOT_APPLICABLE: {
    status: 422,
    final: false,
    message: 'The voucher does not apply to this order.',
    cause: 'It would not make the order cheaper.',
    fix: 'Order without it.',
  },
  AMOUNT_BELOW_MINIMUM: {
    status: 422,
    final: false,
    message: 'The amount is too small for a card payment.',
    cause: 'Each currency has a smallest charge: £0.30, $0.50, ¥50.',
    fix: 'Add an item, or pay at the counter.',
  },
  ORDER_NOT_PAID: {
    status: 409,
    final: false,
    message: 'The order is not paid.',
    cause: 'Its payment has not succeeded.',
    fix: 'Wait for the payment.',
  },
  INVALID_TRANSITION: {
    status: 409,
    final: false,
    message: 'That change is not allowed from the current status.',
    cause: 'The transition table has no such move.',
    fix: 'Make one of the moves that the message names.',
  },
  FULFILMENT_NOT_APPLICABLE: {
    status: 409,
    final: true,
    message: 'This order has no fulfilment steps.',
    cause: 'It is a buy_now order, which is handed over at once.',
    fix: 'Set its business status instead.',
  },
  NOTE_REQUIRED: {
    status: 400,
    final: false,
    message: 'note is required for this change.',
    cause: 'It corrects an earlier status, so a reason is needed.',
    fix: 'Send a note.',
  },
  TOO_LATE_TO_CANCEL: {
    status: 409,
    final: false,
    message: 'The order can no longer be cancelled by the customer: the store has begun to prepare it.',
    cause: 'It, or a part of it, is being prepared, is ready or was handed over.',
    fix: 'Ask the store, which can still cancel it; or cancel a part that is not being prepared yet.',
  },
  ORDER_TERMINAL: {
    status: 409,
    final: false,
    message: 'The order has ended.',
    cause: 'It was collected, fulfilled or cancelled.',
    fix: 'Send no delay notice for it.',
  },
  INVALID_ETA: {
    status: 400,
    final: false,
    message: 'The new time is not valid.',
    cause: 'Neither delayMinutes nor newReadyAt was sent, or the time is past or more than 24 hours away.',
    fix: 'Send delayMinutes from 1 to 480, or a later newReadyAt.',
  },
  REFUND_WINDOW_EXPIRED: {
    status: 409,
    final: false,
    message: 'The refund window of this order has closed.',
    cause: 'It was paid longer ago than the store’s refund window.',
    fix: 'Refund the customer outside the platform.',
  },
  ALREADY_REFUNDED: {
    status: 409,
    final: false,
    message: 'Nothing is left to refund.',
    cause: 'The whole amount has been refunded.',
    fix: 'No further refund is needed.',
  },
  ORDER_DISPUTED: {
    status: 409,
    final: false,
    message: 'The payment is disputed.',
    cause: 'The customer’s bank has opened a dispute, or has decided one for the customer, who has the money already.',
    fix: 'While it is open, send evidence at the payment provider; the order can be refunded once the dispute is won. After a lost one nothing is left to refund.',
  },
  REFUND_LIMIT_REACHED: {
    status: 409,
    final: false,
    message: 'This order has reached its maximum number of refunds.',
    cause: 'An order can have twenty refunds.',
    fix: 'Refund the rest outside the platform.',
  },
  REFUND_AMOUNT_EXCEEDS_REMAINING: {
    status: 422,
    final: false,
    message: 'The amount is more than what is left to refund.',
    cause: 'Refunds cannot exceed what was paid.',
    fix: 'Refund at most the amount that the message names.',
  },
  REFUND_LINES_EXCEED_REMAINING: {
    status: 422,
    final: false,
    message: 'More units of a line than are left to refund.',
    cause: 'A unit of a line is refunded once.',
    fix: 'Read the order: each line says how many of its units are refunded.',
  },
  REFUND_REJECTED: {
    status: 502,
    final: false,
    message: 'The payment provider declined the refund.',
    cause: 'For example, the store’s balance is too low.',
    fix: 'Read the provider’s reason in the order log.',
  },
  ORDER_NOT_READY: {
    status: 409,
    final: false,
    message: 'The order is not ready yet.',
    cause: 'Only a ready order can move to an earlier slot.',
    fix: 'Wait until it is ready.',
  },
  ORDER_HAS_NO_SLOT: {
    status: 409,
    final: true,
    message: 'The order has no collection slot.',
    cause: 'It was not booked onto a slot.',
    fix: 'Collect it when it is ready; there is no slot to move.',
  },
  NOT_EARLIER: {
    status: 400,
    final: false,
    message: 'That slot is not earlier than the booked slot.',
    cause: 'It starts at the same time or later.',
    fix: 'Choose an earlier slot.',
  },
  PAYMENT_NOT_SUCCEEDED: {
    status: 409,
    final: false,
    message: 'The payment has not succeeded.',
    cause: 'It is open, processing or declined.',
    fix: 'Complete the payment, then confirm again.',
  },
  PAYMENT_MISMATCH: {
    status: 409,
    final: false,
    message: 'The payment does not match the order.',
    cause: 'The order id, amount, currency or destination differs.',
    fix: 'Contact us and quote the request id.',
  },
  PAYMENT_INTENT_NOT_ON_PLATFORM: {
    status: 409,
    final: false,
    message: 'The payment intent is not on the platform account.',
    cause: 'The payment provider does not know it there.',
    fix: 'Send the payment_intent_id that create order returned.',
  },
  PAYMENT_MODE_MISMATCH: {
    status: 409,
    final: false,
    message: 'The order was placed in another mode of the payment provider than the one that is in use now.',
    cause: 'The deployment had a test key when the order was placed and has a live one now, or the other way round.',
    fix: 'Place a new order. An operator handles the payment of the old one at the provider.',
  },
  PAYMENT_PROVIDER_ERROR: {
    status: 502,
    final: false,
    message: 'The payment provider returned an error.',
    cause: 'It declined the request or did not respond.',
    fix: 'Repeat it with the same idempotency key.',
  },
  WEBHOOK_SIGNATURE_INVALID: {
    status: 400,
    final: false,
    message: 'The webhook signature is not valid.',
    cause: 'The signing secret differs, the body was changed, or the timestamp is more than five minutes away from our clock.',
    fix: 'Check the signing secret of the webhook endpoint.',
  },

  // Loyalty
  LOYALTY_DISABLED: {
    status: 409,
    final: false,
    message: 'The store has no active loyalty programme.',
    cause: 'It is switched off or was never set up.',
    fix: 'Ask the store.',
  },
  DAILY_LIMIT_REACHED: {
    status: 409,
    final: false,
    message: 'This customer has reached today’s stamp limit.',
    cause: 'The store limits the stamps of one customer in a day.',
    fix: 'Try again tomorrow.',
  },
  MONTHLY_LIMIT_REACHED: {
    status: 409,
    final: false,
    message: 'The store’s plan has no stamps left this month.',
    cause: 'The monthly quota of the plan is used up.',
    fix: 'Upgrade the plan, or wait for next month.',
  },
  STAMP_NOT_FOUND: {
    status: 404,
    final: true,
    message: 'There is no such stamp.',
    cause: 'The id is unknown, or the stamp belongs to another store.',
    fix: 'Check the id and the store.',
  },
  STAMP_ALREADY_REJECTED: {
    status: 409,
    final: true,
    message: 'The stamp has already been rejected.',
    cause: 'A rejected stamp cannot be approved.',
    fix: 'Grant a new stamp.',
  },
  STAMP_ALREADY_APPROVED: {
    status: 409,
    final: true,
    message: 'The stamp has already been approved.',
    cause: 'An approved stamp cannot be rejected.',
    fix: 'Undo it, if the store granted it.',
  },
  STAMP_NOT_UNDOABLE: {
    status: 409,
    final: true,
    message: 'Only a stamp granted by the store can be undone.',
    cause: 'This stamp came from another source.',
    fix: 'Leave the stamp as it is.',
  },
  STAMP_ALREADY_USED: {
    status: 409,
    final: false,
    message: 'The stamp has already earned a voucher.',
    cause: 'A used stamp cannot be undone.',
    fix: 'Leave the stamp as it is.',
  },
  CODE_NOT_FOUND: {
    status: 404,
    final: true,
    message: 'There is no such stamp code.',
    cause: 'It was mistyped or never issued.',
    fix: 'Type it again, or ask for a new code.',
  },
  CODE_EXPIRED: {
    status: 410,
    final: true,
    message: 'The stamp code has expired.',
    cause: 'Its validity of a few seconds has ended.',
    fix: 'Ask for a new code.',
  },
  CODE_ALREADY_USED: {
    status: 409,
    final: true,
    message: 'The stamp code has already been used.',
    cause: 'Another customer redeemed it.',
    fix: 'Ask for a new code.',
  },
  CODE_WRONG_STORE: {
    status: 409,
    final: true,
    message: 'The stamp code belongs to another store.',
    cause: 'It was issued for a store other than expected_store_id.',
    fix: 'Redeem it at its own store.',
  },
  NFC_PROOF_INCOMPLETE: {
    status: 400,
    final: true,
    message: 'The NFC proof is incomplete.',
    cause: 'Some of nfc_picc_data, nfc_cmac and nfc_key_version are missing.',
    fix: 'Send all three together.',
  },
  NFC_PROOF_REQUIRED: {
    status: 403,
    final: false,
    message: 'This store requires a tap on its NFC tag.',
    cause: 'The store enforces NFC.',
    fix: 'Tap the tag and send its nfc_ fields.',
  },
  NFC_PROOF_INVALID: {
    status: 403,
    final: false,
    message: 'The NFC proof is not valid.',
    cause: 'It does not come from a registered tag.',
    fix: 'Tap the tag again.',
  },
  NFC_TAG_WRONG_STORE: {
    status: 403,
    final: false,
    message: 'The NFC tag belongs to another store.',
    cause: 'It is registered for another store.',
    fix: 'Tap this store’s tag.',
  },
  NFC_TAP_REPLAYED: {
    status: 409,
    final: true,
    message: 'This tap has already been used.',
    cause: 'Each tap counts once.',
    fix: 'Tap the tag again.',
  },
  MULTI_STAMP_DISABLED: {
    status: 403,
    final: false,
    message: 'The store has switched multi-stamp requests off.',
    cause: 'The store’s multi-stamp switch is off.',
    fix: 'Ask the store.',
  },
  PLAN_NOT_ENTITLED: {
    status: 403,
    final: false,
    message: 'The store’s plan does not include this feature.',
    cause: 'The feature is not among the plan’s entitlements.',
    fix: 'Upgrade the plan.',
  },
  STORE_FROZEN: {
    status: 409,
    final: false,
    message: 'The store is switched off at the moment.',
    cause: 'Its status is dark.',
    fix: 'Try again later.',
  },
  MULTI_STAMP_MONTHLY_CEILING: {
    status: 409,
    final: false,
    message: 'This would exceed the customer’s monthly multi-stamp limit.',
    cause: 'The store limits the stamps that a customer can get this way in a month.',
    fix: 'Request fewer stamps, or try again next month.',
  },
  MULTI_STAMP_PENDING: {
    status: 409,
    final: false,
    message: 'A multi-stamp request is already pending.',
    cause: 'A customer can have one pending request.',
    fix: 'Confirm it, cancel it, or wait until it expires.',
  },
  MULTI_STAMP_EXPIRED: {
    status: 409,
    final: false,
    message: 'The multi-stamp request has expired.',
    cause: 'Staff did not confirm it within 60 seconds.',
    fix: 'Make a new request.',
  },
  NO_PENDING_REQUEST: {
    status: 404,
    final: false,
    message: 'There is no pending multi-stamp request.',
    cause: 'None was made, or it belongs to another customer.',
    fix: 'Make a request first.',
  },
  STAFF_CREDENTIAL_REQUIRED: {
    status: 401,
    final: false,
    message: 'A staff credential is required.',
    cause: 'Neither staff_secret nor a staff token was sent.',
    fix: 'Tap the staff card, or send X-Staff-Token.',
  },
  STAFF_CREDENTIAL_INVALID: {
    status: 403,
    final: false,
    message: 'The staff credential is not valid.',
    cause: 'It is unknown, revoked, expired, or belongs to another store.',
    fix: 'Use a current card or token of this store.',
  },

  // Queue
  WALK_INS_NOT_ACCEPTED: {
    status: 409,
    final: false,
    message: 'The store does not accept walk-ins.',
    cause: 'The store’s walk-in switch is off.',
    fix: 'Book an appointment instead.',
  },
  NO_CAPACITY_TODAY: {
    status: 409,
    final: false,
    message: 'The store has no free time for this today.',
    cause: 'The diary has no gap that is long enough.',
    fix: 'Choose another service or another day.',
  },
  SERVICE_NOT_FOUND: {
    status: 422,
    final: false,
    message: 'The store does not offer that service.',
    cause: 'The service_id is unknown, or belongs to another store.',
    fix: 'Load the services again.',
  },
  UNIT_NOT_FOUND: {
    status: 422,
    final: false,
    message: 'The store has no such chair.',
    cause: 'The unit id is unknown, or belongs to another store.',
    fix: 'Omit it to accept any chair.',
  },
  QUEUE_ENTRY_NOT_FOUND: {
    status: 404,
    final: false,
    message: 'There is no such queue entry.',
    cause: 'The id is unknown, or the entry belongs to another caller.',
    fix: 'Check the id.',
  },

  // Notifications
  WEBHOOK_NOT_FOUND: {
    status: 404,
    final: true,
    message: 'There is no such webhook.',
    cause: 'The store has no webhook with this id, or it ended more than thirty days ago.',
    fix: 'List the webhooks of the store.',
  },
  WEBHOOK_EVENT_NOT_FOUND: {
    status: 404,
    final: false,
    message: 'The webhook has no such event.',
    cause: 'The number is higher than its last one, or the event is older than thirty days.',
    fix: 'Read its events: the reply says which numbers there are.',
  },
  EVENTS_NOT_KEPT: {
    status: 404,
    final: false,
    message: 'Some events of this range are not there.',
    cause: 'The range is longer than 100,000 numbers, ends above the last one, or begins before the thirty days for which events are kept.',
    fix: 'Name a range between first_number and last_number of the webhook’s events.',
  },
  WEBHOOK_ENDED: {
    status: 409,
    final: false,
    message: 'The webhook has ended.',
    cause: 'Someone ended it, or its receiver responded 410.',
    fix: 'Change the webhook, which makes it active again.',
  },
  WEBHOOK_ADDRESS_REFUSED: {
    status: 400,
    final: false,
    message: 'Nothing can be sent to this address.',
    cause: 'It is no https address, has a name and password, or is one of a private network or of this platform.',
    fix: 'Name an https address on the internet.',
  },
  TOO_MANY_WEBHOOKS: {
    status: 409,
    final: false,
    message: 'The store has ten webhooks.',
    cause: 'Ten of them have not ended.',
    fix: 'End one that is not needed.',
  },
} as const satisfies Record<string, ProblemDescription>;

export interface ProblemDescription {
  readonly status: number;
  /** True when the same request will never be accepted. Such a refusal is kept under its Idempotency-Key, no other one is. */
  readonly final: boolean;
  readonly message: string;
  readonly cause: string;
  readonly fix: string;
}

export type ProblemCode = keyof typeof problems;

/** The problems of every operation. A contract lists only its own problems beside these. */
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

/** The problems of every operation with `replay: 'header'`. */
export const replayProblems = [
  'IDEMPOTENCY_KEY_REQUIRED',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_IN_PROGRESS',
] as const satisfies readonly ProblemCode[];

/** Returns whether a repeat under the same Idempotency-Key gets this refusal again: it is final, and does not say when to try again. */
export const isFinal = ({ code, headers }: Problem): boolean => problems[code].final && headers['Retry-After'] === undefined;

/** The problems of every change of an object whose edits are counted. */
export const versionProblems = ['VERSION_REQUIRED', 'VERSION_CONFLICT'] as const satisfies readonly ProblemCode[];

/** Returns whether a request to an operation must name the version that it changes, in If-Match. */
export const needsVersion = ({ versioned, method }: { readonly versioned?: true; readonly method: string }): boolean =>
  versioned === true && method === 'PATCH';

export interface ProblemOptions extends ErrorOptions {
  /** Replaces the catalogue's message by a more exact one. It names the field and the fix, never a secret or personal data. */
  readonly message?: string;
  /** Seconds after which a repeat makes sense. Sent as the Retry-After header. */
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The total of PRICE_CHANGED, in minor units. */
  readonly totalPence?: number;
}

/** An error that is reported to the caller. Thrown by an operation or an RPC handler, it becomes the error response of its code. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields of the response’s error besides code and message. */
  readonly fields: { readonly total_pence?: number };

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(options.message ?? problems[code].message, options);
    this.name = 'Problem';
    this.code = code;
    this.status = problems[code].status;
    this.fields = options.totalPence === undefined ? {} : { total_pence: options.totalPence };
    this.headers = {
      // RFC 9110 requires a challenge with every 401.
      ...(this.status === 401 ? { 'WWW-Authenticate': 'Bearer realm="corner"' } : {}),
      ...options.headers,
      ...(options.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(options.retryAfterSeconds) }),
    };
  }
}
