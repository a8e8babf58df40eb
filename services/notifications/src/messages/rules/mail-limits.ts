/**
 * The source of an address: `own`, a sign-in, another system, or confirmed by its owner; `typed`, entered by a customer without a sign-in
 * or by a person who invites; `contact`, a store's settings.
 */
export type AddressKind = 'own' | 'typed' | 'contact';

export type MailLimits = Readonly<Record<AddressKind, { readonly inHour: number; readonly inDay: number }>>;

/** Mails that one address gets in an hour and a day of UTC, over all customers and stores. */
export const mailLimits: MailLimits = {
  own: { inHour: 60, inDay: 24 * 60 },
  contact: { inHour: 30, inDay: 300 },
  typed: { inHour: 10, inDay: 30 },
};

/**
 * Why a mail or a text is not sent: its owner wants none, has not confirmed the address since the first mail, gets too many, or has stopped
 * texts with a text.
 */
export type Withheld = 'refused' | 'unconfirmed' | 'limit' | 'stopped';
