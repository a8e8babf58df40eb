import { type Interceptor, UniqueIntegrityConstraintViolationError } from 'slonik';

class DuplicateEvent extends Error {
  constructor(violation: UniqueIntegrityConstraintViolationError) {
    super(
      `${describeKey(violation.detail)} was published before: the sequence must be drawn under the aggregate's row lock, ` +
        'in the transaction that publishes, and an event type may be published once for each sequence',
      { cause: violation },
    );
    this.name = 'DuplicateEvent';
  }
}

/** Must be the last interceptor, since an interceptor that throws replaces the error. */
export const explainDuplicateEvents: Interceptor = {
  name: 'explain-duplicate-events',
  queryExecutionError(_context, _query, error) {
    if (error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'outbox_once_per_step')
      throw new DuplicateEvent(error);
    return null;
  },
};

/** Postgres's detail reads `Key (aggregate_id, aggregate_sequence, type)=(<id>, 3, order.refunded) already exists.` */
function describeKey(detail: string | null): string {
  const [, aggregate, sequence, type] = /=\((.*), (\d+), ([^,)]+)\)/s.exec(detail ?? '') ?? [];
  return type === undefined ? 'An event' : `Event ${type} of aggregate ${aggregate} with sequence ${sequence}`;
}
