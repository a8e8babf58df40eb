/** An invariant that does not hold, and where. */
export interface Breach {
  /** `lost`, `doubled`, or `wrong`: two records of it differ. */
  readonly kind: 'lost' | 'doubled' | 'wrong';
  readonly invariant: string;
  readonly detail: string;
}

/** A breach of an invariant for each of these rows. */
export const breaches = (kind: Breach['kind'], invariant: string, rows: readonly unknown[]): Breach[] =>
  rows.map((row) => ({ kind, invariant, detail: JSON.stringify(row) }));
