/** What `corner explain` takes: each kind of id that a person may quote, with how it looks. docs/operating.md lists the same. */
export const explainedKinds = [
  ['an order', 'its id, or its number: S1-1042'],
  ['a collection code', 'four characters: K7PX'],
  ['a customer or a store', 'its id; a store also by its code: S1'],
  ['a voucher', 'its id or its code'],
  ['a request', 'the requestId of a response, or an Idempotency-Key'],
  ['a trace', 'its id, 32 hexadecimal digits'],
  ['a payment', 'the provider’s pi_…, re_…, ch_…, dp_… or du_…, evt_… or acct_…'],
  ['an event or a message', 'its id'],
  ['a place in a queue', 'its entry_id, its appointment, or the id in events'],
  ['an error', 'its code: SLOT_JUST_FILLED'],
] as const;

/** The kinds, one a line. */
export const formatKinds = (): string => explainedKinds.map(([kind, look]) => `  ${kind.padEnd(22)} ${look}`).join('\n');
