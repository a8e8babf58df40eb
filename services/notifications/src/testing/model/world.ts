import type { Envelope, PreferenceToggle as Toggle } from '@corner/contracts';
import type { WalletTestbed } from '../../wallet/testing/testbed.ts';
import type { Person } from './steps.ts';

export type { Toggle };

export interface Customer {
  readonly id: string;
  readonly mark: string;
  readonly email: string;
  readonly phone: string;
  readonly number: string;
}

/**
 * The cause of a message. `envelope` is null for one that no event made. `eventId` is null for a campaign, and until the service has taken
 * the words of staff. `who` is null for a campaign, which goes to all who said yes. Each of `toggles` stops it.
 */
export interface Cause {
  readonly envelope: Envelope | null;
  readonly eventId: string | null;
  readonly who: Person | null;
  readonly toggles: readonly Toggle[];
}

/** The number of the cause in the text of a message; null for a call in the queue, which has none. */
export function causeIn({ title, text }: { readonly title: string; readonly text: string }): number | null {
  const [, marked, counted] = /#(\d+)|(\d+)\s+of\s+999/.exec(`${title} ${text}`) ?? [];
  return marked || counted ? Number(marked ?? counted) : null;
}

export interface History {
  readonly testbed: WalletTestbed;
  readonly storeId: string;
  readonly customers: Readonly<Record<Person, Customer>>;
  readonly causes: ReadonlyMap<number, Cause>;
  readonly erased: 'no' | 'now' | 'before';
}
