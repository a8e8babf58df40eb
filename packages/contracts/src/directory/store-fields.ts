/** Fields of a store that only an import sets: the payment account, the bearer of each cost, and listing without an account. */
export const platformFields = [
  'connected_account_id',
  'fee_bps',
  'on_behalf_of',
  'platform_covers_refunds',
  'disputes_borne_by',
  'listing',
] as const;

/** A manager may change these fields of a store; every other one only the owner. */
export const managerFields = [
  'hours',
  'closures',
  'paused_until',
  'walk_ins_accepted',
  'called_hold_minutes',
  'welcome_message',
  'bookings_accepted',
  'booking_notice_minutes',
  'booking_deposit_item_id',
  'no_shows_allowed',
  'no_show_months',
] as const;
