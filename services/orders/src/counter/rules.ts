export interface CashMoved {
  readonly float_pence: number;
  readonly cash_taken_pence: number;
  readonly cash_refunded_pence: number;
  readonly paid_out_pence: number;
}

export const expectedPence = ({ float_pence, cash_taken_pence, cash_refunded_pence, paid_out_pence }: CashMoved): number =>
  float_pence + cash_taken_pence - cash_refunded_pence - paid_out_pence;

const second = 1_000;
/** A tap binds a sale for this long after its payment. */
const bindingMs = 60 * second;
/** Clocks of two machines may differ by this. */
const clockSkewMs = 2 * second;

/** Returns the span of payment times within which a tap binds a sale, excluding its start. */
export const bindingMoments = (tappedAt: Date): { readonly after: Date; readonly until: Date } => ({
  after: new Date(tappedAt.getTime() - bindingMs),
  until: new Date(tappedAt.getTime() + clockSkewMs),
});
