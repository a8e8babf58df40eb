import type { Entry } from '../queue-operations.ts';

/** `isSeated` is false for a party that waits: it would get the chair then, if everyone ahead came. */
export interface Party {
  readonly key: string;
  readonly name: string;
  readonly text: string;
  readonly unitId: string;
  readonly from: number;
  readonly to: number;
  readonly isSeated: boolean;
}

type Walked = Pick<Entry, 'entry_id' | 'customer_name' | 'guest_name' | 'quoted_wait_min' | 'status' | 'seats'>;

export const partiesOf = (entries: readonly Walked[]): readonly Party[] =>
  entries.flatMap(({ entry_id, customer_name, guest_name, quoted_wait_min, status, seats = [] }) =>
    seats.map(({ unit_id, starts_at, ends_at }, index) => ({
      key: `${entry_id} ${index}`,
      name: customer_name ?? guest_name ?? 'Walk-in',
      text:
        status === 'assigned'
          ? 'in the chair'
          : `${status === 'called' ? 'called' : 'expected'}${quoted_wait_min === null ? '' : `, quoted about ${quoted_wait_min} min`}`,
      unitId: unit_id,
      from: Date.parse(starts_at),
      to: Date.parse(ends_at),
      isSeated: status === 'assigned',
    })),
  );
