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

const second = 1_000;
/** For so long after its payment a tap binds a sale. */
const bindingMs = 60 * second;
/** Clocks of two machines may differ by this. */
const clockSkewMs = 2 * second;

/** Returns the moments that a sale was paid between which a tap binds; the first is not one of them. */
export const bindingMoments = (tappedAt: Date): { readonly after: Date; readonly until: Date } => ({
  after: new Date(tappedAt.getTime() - bindingMs),
  until: new Date(tappedAt.getTime() + clockSkewMs),
});
