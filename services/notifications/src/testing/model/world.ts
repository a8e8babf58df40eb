import type { Envelope } from '@corner/contracts';
import type { WalletTestbed } from '../../wallet/testing/testbed.ts';
import type { Person, StepOf } from './steps.ts';

/** Each value that names the customer contains `mark`. */
export interface Customer {
  readonly id: string;
  readonly mark: string;
  readonly email: string;
  readonly phone: string;
}

/** An event that makes a message, whose text contains the event's number. */
export interface Cause {
  readonly envelope: Envelope;
  readonly who: Person;
  /** The preference that lets its message be sent; null for none. */
  readonly toggle: Toggle | null;
}
export type Toggle = StepOf<'prefer'>['toggle'];

export interface History {
  readonly testbed: WalletTestbed;
  readonly storeId: string;
  readonly customers: Readonly<Record<Person, Customer>>;
  readonly causes: ReadonlyMap<number, Cause>;
  /** `now`: Zed was erased in this round. */
  readonly erased: 'no' | 'now' | 'before';
}
