import type { Envelope } from '@corner/contracts';
import type { WalletTestbed } from '../../wallet/testing/testbed.ts';
import type { Person, StepOf } from './steps.ts';

export interface Customer {
  readonly id: string;
  readonly mark: string;
  readonly email: string;
  readonly phone: string;
}

export interface Cause {
  readonly envelope: Envelope;
  readonly who: Person;
  readonly toggle: Toggle | null;
}
export type Toggle = StepOf<'prefer'>['toggle'];

export interface History {
  readonly testbed: WalletTestbed;
  readonly storeId: string;
  readonly customers: Readonly<Record<Person, Customer>>;
  readonly causes: ReadonlyMap<number, Cause>;
  readonly erased: 'no' | 'now' | 'before';
}
