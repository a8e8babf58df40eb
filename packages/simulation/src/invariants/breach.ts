export interface Breach {
  readonly kind: 'lost' | 'doubled' | 'wrong';
  readonly invariant: string;
  readonly detail: string;
}

export const breaches = (kind: Breach['kind'], invariant: string, rows: readonly unknown[]): Breach[] =>
  rows.map((row) => ({ kind, invariant, detail: JSON.stringify(row) }));
