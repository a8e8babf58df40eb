import type { Envelope } from '@corner/contracts';
import type { WalletTestbed } from '../../wallet/testing/testbed.ts';
import type { Person, StepOf } from './steps.ts';

/** A customer of the history. Each value that names them contains `mark`. */
export interface Customer {
  readonly id: string;
  readonly mark: string;
  readonly email: string;
  /** The app that the directory names. */
  readonly phone: string;
}

/** An event that makes a message, and whose number the text of the message contains. */
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
  /** The events by their numbers. */
  readonly causes: ReadonlyMap<number, Cause>;
  /** Whether Zed is erased: since this round, or since one before. */
  readonly erased: 'no' | 'now' | 'before';
}
