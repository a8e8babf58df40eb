import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
} from 'slonik';

const transientClasses = [
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
];
// 08 connection, 40 rollback, 53 resources, 57 operator, 55P03 lock not available, 25006 read-only after failover
const transientStates = /^(08|40|53|57)|^55P03$|^25006$/;
const transientCodes = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$/;

/** Returns whether a repeat may succeed: the network, the server or a lock is in trouble. Checks the error's causes too. */
export function isTransient(error: unknown): boolean {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    if (transientClasses.some((kind) => fault instanceof kind)) return true;
    const code = (fault as { code?: unknown }).code;
    if (typeof code === 'string' && (transientStates.test(code) || transientCodes.test(code))) return true;
    if (
      /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|^timeout expired$/.test(
        fault.message,
      )
    )
      return true;
  }
  return false;
}
