export interface Breach {
  /** `wrong`: two records differ. */
  readonly kind: 'lost' | 'doubled' | 'wrong';
  readonly invariant: string;
  readonly detail: string;
}

/** Makes a breach of the invariant for each of these rows. */
export const breaches = (kind: Breach['kind'], invariant: string, rows: readonly unknown[]): Breach[] =>
  rows.map((row) => ({ kind, invariant, detail: JSON.stringify(row) }));
