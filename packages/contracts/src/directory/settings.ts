/**
 * A setting as a person sees it. The schemas take their bounds from here; pages take all of it, without the schemas. `as: 'own'` is a
 * control drawn for this setting only. `alone` is the name where it stands alone; absent, the label. `least` and `most` bound a number;
 * `most` also bounds the characters of a text. With `optional`, an empty control is null.
 */
export interface Setting {
  readonly as: 'switch' | 'number' | 'money' | 'text' | 'lines' | 'choice' | 'own';
  readonly label: string;
  readonly alone?: string;
  readonly hint?: string;
  readonly unit?: string;
  readonly least?: number;
  readonly most?: number;
  readonly optional?: true;
  readonly choices?: readonly (readonly [value: string, text: string])[];
}

const statuses = [
  ['live', 'Yes: listed, and takes orders'],
  ['dark', 'No: not listed, and takes no orders'],
] as const;

export const storeSettings = {
  code: { as: 'text', label: 'Code', hint: 'On the counter card and in links. Cards that are printed keep the old one.', most: 32 },
  name: { as: 'text', label: 'Name', most: 120 },
  time_zone: { as: 'own', label: 'Time zone', hint: 'Opening hours and days are in it.' },
  currency: { as: 'own', label: 'Currency' },
  language: { as: 'own', label: 'Language', hint: 'Of messages to people whose language is not known, and to the store itself.' },
  legal_name: {
    as: 'text',
    label: 'Legal name',
    most: 200,
    optional: true,
    hint: 'As it is registered. Printed on receipts, where it is another than the name.',
  },
  address: { as: 'own', label: 'Address', hint: 'Printed on receipts.' },
  address_shown: { as: 'switch', label: 'Show the address to everyone', hint: 'On the shop’s pages and in the list of stores.' },
  phone: { as: 'text', label: 'Phone', optional: true, hint: 'Customers call it. As you dial it, or with its country: +44 20 7946 0000.' },
  position: {
    as: 'own',
    label: 'Position on the map',
    hint: 'Latitude and longitude, as a map copies them: 51.5430, -0.0553. Everyone sees it.',
  },
  vat_number: {
    as: 'text',
    label: 'VAT number',
    least: 4,
    most: 32,
    optional: true,
    hint: 'Printed on receipts. Empty for a store that is not registered.',
  },
  welcome_message: { as: 'lines', label: 'Welcome message', hint: 'Shown after a first order.', optional: true },
  status: { as: 'choice', label: 'Open to customers', alone: 'Open for orders', choices: statuses },
  hours: { as: 'own', label: 'Opening hours' },
  closures: { as: 'own', label: 'Closures' },
  contacts: { as: 'own', label: 'Contacts' },
  auto_accept: { as: 'switch', label: 'Accept orders at once', hint: 'Off: a paid order waits until someone accepts it on the board.' },
  accept_within_minutes: {
    as: 'number',
    label: 'Accept within',
    unit: 'minutes',
    least: 1,
    most: 1440,
    optional: true,
    hint: 'An order to collect that no one accepts in this time, while the store is open, is cancelled and refunded. Empty: it waits.',
  },
  uncollected_after_hours: {
    as: 'number',
    label: 'Orders that no one collects end after',
    alone: 'Uncollected orders end after',
    unit: 'hours',
    least: 1,
    most: 168,
    hint: 'Counted from closing; without opening hours, from when the order was ready.',
  },
  pace: {
    as: 'own',
    label: 'The most in a quarter of an hour',
    alone: 'Pace of the kitchen',
    most: 1000,
    hint: 'An order for now is ready in the first quarter with room. Staff change a quarter on the board. Empty: any number.',
  },
  delayed_payment_methods: {
    as: 'switch',
    label: 'Offer payments that settle later',
    alone: 'Payments that settle later',
    hint: 'Such as a bank debit: the order waits, sometimes for days, until the provider says that it is paid.',
  },
  refund_window_days: {
    as: 'number',
    label: 'Possible for',
    alone: 'Refunds are possible for',
    unit: 'days',
    least: 1,
    most: 180,
    hint: 'Counted from the payment.',
  },
  staff_refund_limit_pence: {
    as: 'money',
    label: 'The most that staff refund of one order',
    alone: 'What staff may refund',
    optional: true,
    hint: 'Managers and owners refund more. Empty: no limit.',
  },
  walk_ins_accepted: { as: 'switch', label: 'Guests can join the queue', alone: 'Walk-ins' },
  called_hold_minutes: {
    as: 'number',
    label: 'A guest who was called keeps the place for',
    alone: 'Place of a called guest is held for',
    unit: 'minutes',
    least: 1,
    most: 30,
  },
  bookings_accepted: { as: 'switch', label: 'Customers can book times', alone: 'Bookings by customers', hint: 'Off: only staff book.' },
  booking_notice_minutes: {
    as: 'number',
    label: 'Customers can move or cancel a booking until',
    alone: 'Notice of a change',
    unit: 'minutes before it',
    least: 0,
    most: 10_080,
  },
  booking_deposit_item_id: {
    as: 'own',
    label: 'Deposit for a booking',
    hint: 'An item of the menu that a customer pays for within 15 minutes. Cancelled in time, or by you, it is refunded; a no-show keeps it.',
  },
  no_shows_allowed: {
    as: 'number',
    label: 'No-shows after which bookings wait for you',
    alone: 'No-shows allowed',
    least: 1,
    most: 20,
    optional: true,
    hint: 'The customer gets a message. Empty: never.',
  },
  no_show_months: { as: 'number', label: 'A no-show counts for', alone: 'No-shows count for', unit: 'months', least: 1, most: 24 },
  paused_until: { as: 'own', label: 'Orders are paused until' },
  branding: { as: 'own', label: 'Design of the card' },
} as const satisfies Readonly<Record<string, Setting>>;

const drivers = [
  ['orders', 'Paid orders'],
  ['visits', 'Visits from the queue'],
  ['membership', 'Each period of a membership'],
] as const;

const proofs = [
  ['wait', 'Waits until staff approve it'],
  ['count', 'Counts at once'],
] as const;

export const programmeSettings = {
  enabled: { as: 'switch', label: 'Customers collect stamps', alone: 'Collect stamps' },
  goal: { as: 'number', label: 'Stamps for a reward', least: 1, most: 100 },
  reward_title: { as: 'text', label: 'The reward, as the card says it', alone: 'Reward title', most: 120 },
  reward: { as: 'own', label: 'What the reward takes off' },
  reward_unlock_message: {
    as: 'lines',
    label: 'Message when it is earned',
    alone: 'Reward unlock message',
    optional: true,
    hint: 'Empty: the app’s own words.',
  },
  driver: { as: 'choice', label: 'What earns stamps', choices: drivers },
  stamps_per_order: { as: 'number', label: 'Stamps of an order', least: 0, most: 20 },
  min_spend_pence: { as: 'money', label: 'From, without the tip', alone: 'Least spend' },
  daily_stamp_limit: { as: 'number', label: 'The most of one customer in a day', alone: 'Daily stamp limit', least: 1 },
  voucher_days: { as: 'number', label: 'Can be used for', alone: 'Vouchers are good for', unit: 'days', least: 1, most: 3650 },
  voucher_expiring_days: {
    as: 'number',
    label: 'Customers are reminded',
    alone: 'Voucher expiring days',
    unit: 'days before the end',
    least: 0,
    most: 365,
    hint: '0: never. For vouchers that are earned from now on.',
  },
  codes_without_proof: {
    as: 'choice',
    label: 'A stamp whose code came without a tap',
    alone: 'Codes without a tap',
    choices: proofs,
    hint: 'Anyone can send a code from anywhere.',
  },
  multi_stamp: { as: 'own', label: 'Several stamps at once' },
  nfc_enforced: { as: 'switch', label: 'Codes only with a proved tap of a tag', alone: 'Only by a tap' },
  tags: { as: 'own', label: 'Tags' },
} as const satisfies Readonly<Record<string, Setting>>;
