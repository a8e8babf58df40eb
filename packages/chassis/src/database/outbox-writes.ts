import type { DatabaseTransactionConnection, Interceptor } from 'slonik';

/** Watches for commits that put rows in the outbox, so that the relay need not wait for its next poll. */
export interface OutboxWrites {
  readonly interceptor: Interceptor;
  /** Calls the listeners when this transaction commits, if it wrote to the outbox. */
  follow(tx: DatabaseTransactionConnection): void;
  onCommit(listener: () => void): void;
}

export function watchOutboxWrites(): OutboxWrites {
  const listeners: (() => void)[] = [];
  const publishingTransactions = new Set<string>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return {
    interceptor: {
      name: 'watch-outbox-writes',
      afterQueryExecution({ transactionId }, query) {
        if (!query.sql.includes('into outbox')) return null;
        // A statement outside a transaction has committed by now.
        if (transactionId === null) notify();
        else publishingTransactions.add(transactionId);
        return null;
      },
    },
    follow(tx) {
      tx.on('commit', ({ transactionId }) => {
        if (publishingTransactions.delete(transactionId)) notify();
      });
      tx.on('rollback', ({ transactionId }) => publishingTransactions.delete(transactionId));
    },
    onCommit: (listener) => listeners.push(listener),
  };
}
