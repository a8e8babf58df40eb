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
 * The messages that each toggle switches off, by their names in the list of messages. Empty where Corner sends no such message: the
 * customer's choice is kept and published all the same.
 */
export const messagesSwitchedBy = {
  messagesMuted: ['message.written', 'campaign.message'],
  classReminders: ['booking.reminder'],
  classEventsEnabled: ['class.moved', 'class.cancelled', 'class.waiting', 'class.offered', 'class.lapsed'],
  voucherEventsEnabled: ['voucher.minted', 'voucher.redeemed', 'voucher.restored', 'voucher.voided', 'voucher.expired', 'voucher.expiring'],
  stampEventsEnabled: ['stamp.pending', 'stamp.approved', 'stamp.rejected', 'stamp.undone', 'stamp.reversed', 'multi_stamp.confirmed'],
  membershipEventsEnabled: ['membership.begun', 'membership.renewed', 'membership.ending', 'membership.ended'],
  penaltyEventsEnabled: ['queue.no_show', 'booking.no_show'],
  marketingEnabled: ['campaign.message'],
} as const satisfies Readonly<Record<PreferenceToggle, readonly string[]>>;

export type WorkingToggle = {
  [T in PreferenceToggle]: (typeof messagesSwitchedBy)[T] extends readonly [] ? never : T;
}[PreferenceToggle];

const isWorking = (toggle: PreferenceToggle): toggle is WorkingToggle => messagesSwitchedBy[toggle].length > 0;

export const describeSwitch = (toggle: PreferenceToggle): string =>
  isWorking(toggle)
    ? `Switches ${messagesSwitchedBy[toggle].join(', ')}.`
    : 'Has nothing to switch yet: Corner sends no such message itself. It is kept and published, for systems that do.';
