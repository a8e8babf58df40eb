/**
 * How an address became known: `own`, by a sign-in, from another system, or confirmed by its owner; `typed`, by a customer whom no sign-in
 * confirms, or by who invites a person; `contact`, in the settings of a store.
 */
export type AddressKind = 'own' | 'typed' | 'contact';

export type MailLimits = Readonly<Record<AddressKind, { readonly inHour: number; readonly inDay: number }>>;

/** Mails that one address gets in an hour and a day of UTC, over all customers and stores. */
export const mailLimits: MailLimits = {
  own: { inHour: 60, inDay: 24 * 60 },
  contact: { inHour: 30, inDay: 300 },
  typed: { inHour: 10, inDay: 30 },
};

/** Why a mail is not sent: its owner wants none, has not confirmed the address since the first mail, or gets too many. */
export type Withheld = 'refused' | 'unconfirmed' | 'limit';
