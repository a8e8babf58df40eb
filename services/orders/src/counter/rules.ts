/** What came into a drawer and went out of it. */
export interface CashMoved {
  readonly float_pence: number;
  readonly cash_taken_pence: number;
  readonly cash_refunded_pence: number;
  readonly paid_out_pence: number;
}

/** Returns what should be in a drawer. */
export const expectedPence = ({ float_pence, cash_taken_pence, cash_refunded_pence, paid_out_pence }: CashMoved): number =>
  float_pence + cash_taken_pence - cash_refunded_pence - paid_out_pence;
