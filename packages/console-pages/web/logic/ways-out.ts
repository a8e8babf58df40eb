/**
 * What to do about a refusal, by its code, for people of a shop. A page that a sentence names, as `nameOfPlace` writes it, becomes a link where the
 * sentence is shown.
 */
const waysOut: Readonly<Record<string, string>> = {
  ALREADY_REFUNDED: 'There is nothing left to do.',
  BOOKING_NOT_FOUND: 'Look for it on another day, on the page Diary.',
  CHOICES_INVALID: 'Choose again what the item needs.',
  CUSTOMER_NOT_FOUND: 'Look the customer up again on the page Customers, or scan the card.',
  DAILY_LIMIT_REACHED: 'Give it tomorrow, or raise the limit in Settings, Loyalty card.',
  DRAWER_NOT_OPEN: 'Count the drawer and open it first.',
  DRAWER_OPEN: 'Count the one that is open, and close it first.',
  EVENTS_NOT_KEPT: 'Read them from the first number that is shown in Settings, Webhooks.',
  FULFILMENT_NOT_APPLICABLE: 'Open its details to see what can be done with it.',
  IDEMPOTENCY_IN_PROGRESS: 'Wait a moment, and press again: it is made once.',
  INSUFFICIENT_ROLE: 'Ask a manager or the owner to do it. Roles are in Settings, People.',
  INVALID_ETA: 'Choose from 1 to 480 minutes, later than it is expected now.',
  INVITATION_ENDED: 'Ask a manager or the owner for a new invitation.',
  INVITATION_NOT_FOUND: 'Open the link exactly as the mail has it, or invite the person again in Settings, People.',
  ITEM_NOT_FOUND: 'The menu was changed: choose the item again.',
  LAST_OWNER: 'Make another person owner first, in Settings, People.',
  LOYALTY_DISABLED: 'Turn it on in Settings, Loyalty card.',
  MENU_ITEM_NOT_FOUND: 'The menu was changed: look at the page Menu again.',
  MONTHLY_LIMIT_REACHED: 'Wait for next month, or ask for a larger plan.',
  NOTE_REQUIRED: 'Write why, and press again.',
  NO_CAPACITY_TODAY: 'Choose a shorter service, another chair or another day, or lengthen a shift in Settings, Floor and rota.',
  ORDER_ALREADY_PAID: 'Nothing is left to pay.',
  ORDER_DISPUTED:
    'Send evidence on the payment provider’s pages, which Settings, Payment account opens; the order can be refunded once the dispute is won.',
  ORDER_NOT_FOUND: 'Search for it by its number, code or name, on the page Orders.',
  ORDER_NOT_PAID: 'Wait for the payment, or cancel the order.',
  ORDER_TERMINAL: 'Nothing is left to change.',
  OUT_OF_STOCK: 'Leave the item out, or add stock on the page Menu.',
  PARTNER_NOT_FOUND: 'The partner may have been removed: see Settings, People.',
  PAYMENT_MISMATCH: 'Give the number of this request to those who run Corner; do not take the money again.',
  PAYMENT_MODE_MISMATCH:
    'Refund it on the payment provider’s pages, which Settings, Payment account opens, and have the customer place a new order.',
  PAYMENT_PROVIDER_ERROR: 'Press again in a moment: it is made once.',
  PRICE_CHANGED: 'Look at the total, and press again.',
  PRINTER_NOT_FOUND: 'Add it again, on the page Printers.',
  PROMO_EXPIRED: 'Go on without it, or change when it is valid in Settings, Promo codes.',
  PROMO_INVALID: 'Check the code, or go on without it.',
  PROMO_LIMIT_REACHED: 'Go on without it.',
  PROMO_NOT_APPLICABLE: 'Go on without it.',
  RATE_LIMITED: 'Wait a minute, and press again.',
  REFUND_AMOUNT_EXCEEDS_REMAINING: 'Refund what is left at most.',
  REFUND_LIMIT_REACHED: 'Give the rest back in another way, such as cash.',
  REFUND_LINES_EXCEED_REMAINING: 'Choose fewer units of the line.',
  REFUND_REJECTED: 'Its story says the provider’s reason. Try another amount, or give it back in another way.',
  REFUND_WINDOW_EXPIRED: 'Give it back in another way, or lengthen the window in Settings, Orders and queue.',
  SERVICE_NOT_FOUND: 'Choose another service, or add it in Settings, Floor and rota.',
  SLOT_CLOSED: 'Choose another time.',
  SLOT_JUST_FILLED: 'Choose another time.',
  SLOT_NOT_FOUND: 'Choose another time.',
  STAFF_EXISTS: 'Change the role of the person in Settings, People.',
  STAFF_NOT_FOUND: 'The person may have left: see Settings, People.',
  STAMP_ALREADY_USED: 'Take back the voucher, if it was a mistake.',
  STAMP_NOT_FOUND: 'Look the customer up again, on the page Customers.',
  STAMP_NOT_UNDOABLE: 'Leave it, or refund the order that earned it.',
  STORE_CLOSED: 'Open the store in Settings, Hours and closures.',
  STORE_CODE_TAKEN: 'Choose another code, in Settings, Store.',
  STORE_FORBIDDEN: 'Ask the owner of the store to invite you.',
  STORE_NOT_ACCEPTING_ORDERS: 'Accept orders again, on the page Orders.',
  STORE_NOT_FOUND: 'Choose a store at the top of the page.',
  TAG_TAKEN: 'Check its number in Settings, Tags, or have the other store remove the tag.',
  TENDERS_MISMATCH: 'Take exactly the total; only cash gives change.',
  TENDERS_NOT_APPLICABLE: 'Wait for the payment, or cancel the order.',
  TOO_MANY_WEBHOOKS: 'End one that is not needed, in Settings, Webhooks.',
  UNIT_NOT_FOUND: 'Choose another chair, or add it in Settings, Floor and rota.',
  UPSTREAM_UNAVAILABLE: 'Press again in a moment: it is made once.',
  VALIDATION_FAILED: 'Correct it, and press again.',
  VERSION_CONFLICT: 'Look at what was changed, and press again.',
  VOUCHER_EXPIRED: 'Choose another voucher, or go on without one.',
  VOUCHER_NOT_APPLICABLE: 'Choose another voucher, or go on without one.',
  VOUCHER_NOT_FOUND: 'Check the code, or look the customer up on the page Customers.',
  VOUCHER_RESERVED: 'Have that order paid or cancelled first.',
  VOUCHER_VOIDED: 'Choose another voucher, or go on without one.',
  WALK_INS_NOT_ACCEPTED: 'Turn walk-ins on, on the page Queue or in Settings, Orders and queue.',
  WEBHOOK_ADDRESS_REFUSED: 'Name an https address on the internet.',
  WEBHOOK_ENDED: 'Turn it on again, in Settings, Webhooks.',
  WEBHOOK_EVENT_NOT_FOUND: 'Choose one of the events that are listed in Settings, Webhooks.',
  WEBHOOK_NOT_FOUND: 'It may have been removed: see Settings, Webhooks.',
};

/** Returns what to do about a refusal; without a way of its own it is a fault of the pages, and the number of the request helps to find it. */
export const wayOut = (code: string, requestId: string | undefined): string =>
  knownWayOut(code) ??
  `Load the page again. If it stays so, ask those who run Corner${requestId === undefined ? '' : `, with this number: ${requestId}`}.`;

/** Returns what to do about a refusal; undefined where its code has no way of its own. */
export const knownWayOut = (code: string): string | undefined => (Object.hasOwn(waysOut, code) ? waysOut[code] : undefined);

/** The codes that have a way of their own. */
export const codesWithWay: readonly string[] = Object.keys(waysOut);
