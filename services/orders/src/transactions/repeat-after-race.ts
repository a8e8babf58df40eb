import { UniqueIntegrityConstraintViolationError } from 'slonik';

/** Constraints that refuse an order as it is paid when another one was faster. Run again, the statement finds what the other one wrote. */
const races = ['collection_code_is_unique_among_live_orders', 'one_first_order_of_a_customer'];
const mostRaces = 10;

/** Runs a statement or transaction that pays an order, again when it lost a race. */
export async function repeatAfterRace<T>(work: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n += 1) {
    try {
      return await work();
    } catch (error) {
      const isRace = error instanceof UniqueIntegrityConstraintViolationError && races.includes(error.constraint ?? '');
      if (!isRace || n === mostRaces) throw error;
    }
  }
}
