import { type Interceptor, UniqueIntegrityConstraintViolationError } from 'slonik';

/** An event of this type, aggregate and sequence is in the outbox already. A fault of the code that published it. */
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

/** Replaces the violation of the outbox's unique constraint. An interceptor that throws replaces the error, so this one comes last. */
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
