/** The toggles of a preference row, named as in the public interface. */
export const preferenceToggles = [
  'messagesMuted',
  'classReminders',
  'classEventsEnabled',
  'voucherEventsEnabled',
  'stampEventsEnabled',
  'membershipEventsEnabled',
  'penaltyEventsEnabled',
  'marketingEnabled',
] as const;
export type PreferenceToggle = (typeof preferenceToggles)[number];

/**
 * The messages that each toggle switches off, by the names that the list of messages has for them. An empty one has nothing to switch yet:
 * Corner sends no such message, and keeps and publishes the customer's choice.
 */
export const messagesSwitchedBy = {
  messagesMuted: ['message.written', 'campaign.message'],
  classReminders: ['booking.reminder'],
  classEventsEnabled: ['class.moved', 'class.cancelled'],
  voucherEventsEnabled: ['voucher.minted', 'voucher.redeemed', 'voucher.restored', 'voucher.voided', 'voucher.expired', 'voucher.expiring'],
  stampEventsEnabled: ['stamp.pending', 'stamp.approved', 'stamp.rejected', 'stamp.undone', 'stamp.reversed', 'multi_stamp.confirmed'],
  membershipEventsEnabled: ['membership.begun', 'membership.renewed', 'membership.ending', 'membership.ended'],
  penaltyEventsEnabled: ['queue.no_show', 'booking.no_show'],
  marketingEnabled: ['campaign.message'],
} as const satisfies Readonly<Record<PreferenceToggle, readonly string[]>>;

/** The toggles that switch off at least one message. */
export type WorkingToggle = {
  [T in PreferenceToggle]: (typeof messagesSwitchedBy)[T] extends readonly [] ? never : T;
}[PreferenceToggle];

/** Returns whether a toggle switches off at least one message. */
const isWorking = (toggle: PreferenceToggle): toggle is WorkingToggle => messagesSwitchedBy[toggle].length > 0;

/** Returns a sentence about what a toggle switches off. */
export const describeSwitch = (toggle: PreferenceToggle): string =>
  isWorking(toggle)
    ? `Switches ${messagesSwitchedBy[toggle].join(', ')}.`
    : 'Has nothing to switch yet: Corner sends no such message itself. It is kept and published, for systems that do.';
