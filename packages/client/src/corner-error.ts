import type { OperationName } from './call.ts';
import type { ErrorCode, operations } from './openapi.ts';

/**
 * Why a call failed. The codes of the interface are listed at /docs/errors. `UNREACHABLE`: no complete response arrived, so the outcome is
 * unknown. `UNREADABLE`: the response is not one of Corner's; it comes from a proxy, for example.
 */
export type CornerErrorCode = ErrorCode | ClientErrorCode;
type ClientErrorCode = 'UNREACHABLE' | 'UNREADABLE';

/** The codes with which one operation may fail. */
export type ErrorCodeOf<Name extends OperationName> =
  | operations[Name]['responses']['default']['content']['application/json']['error']['code']
  | ClientErrorCode;

export interface CornerErrorDetails {
  readonly code: CornerErrorCode;
  readonly status: number;
  readonly message: string;
  readonly operation?: OperationName | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly totalPence?: number | undefined;
  readonly readyFrom?: string | undefined;
  readonly cause?: unknown;
}

/** A failed call. Programs should decide by `code`: the meaning of a code never changes. */
export class CornerError extends Error {
  override readonly name = 'CornerError';
  /** A newer version of Corner may return codes that these types do not list. */
  readonly code: CornerErrorCode;
  readonly status: number;
  /** The name of the operation that was called; undefined when this version of the client does not know it. */
  readonly operation: OperationName | undefined;
  /** The id of the request, to quote when you ask for help. Undefined when no response had one. */
  readonly requestId: string | undefined;
  /** The seconds of the Retry-After header; undefined when there was none. */
  readonly retryAfter: number | undefined;
  /** The current total in minor units, with `PRICE_CHANGED`. */
  readonly totalPence: number | undefined;
  /** When the order would be ready, ISO 8601, with `READY_LATER`. */
  readonly readyFrom: string | undefined;

  constructor({ code, status, message, operation, requestId, retryAfter, totalPence, readyFrom, cause }: CornerErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.operation = operation;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.totalPence = totalPence;
    this.readyFrom = readyFrom;
  }
}

export type OperationError<Name extends OperationName> = CornerError & { readonly operation: Name; readonly code: ErrorCodeOf<Name> };

/**
 * Whether a thrown value is the error of an operation. `code` is then one of that operation's codes, so that a `switch` can name them all.
 */
export const isErrorOf = <Name extends OperationName>(error: unknown, operation: Name): error is OperationError<Name> =>
  error instanceof CornerError && error.operation === operation;

export function readError(response: Response, text: string, operation: OperationName | undefined): CornerError {
  const { code, message, requestId, total_pence, ready_from } = errorIn(text) ?? {};
  return new CornerError({
    status: response.status,
    operation,
    code: code ?? 'UNREADABLE',
    message: message ?? `The response with status ${response.status} is not from Corner.`,
    requestId: requestId ?? response.headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterOf(response),
    totalPence: total_pence,
    readyFrom: ready_from,
  });
}

/** The Retry-After header in seconds, from a number or a date. Undefined when it is absent or invalid. */
function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  // A date is compared with the server's clock, because ours may differ.
  const seconds = (Date.parse(value) - Date.parse(headers.get('date') ?? '')) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

interface ErrorBody {
  readonly code?: ErrorCode;
  readonly message?: string;
  readonly requestId?: string;
  readonly total_pence?: number;
  readonly ready_from?: string;
}

/** The error of a response. The token endpoint for OAuth clients has a text in `error` and the other fields next to it. */
function errorIn(text: string): ErrorBody | undefined {
  const body = parseJson(text) as { error?: ErrorBody | string; error_description?: string } | null | undefined;
  return typeof body?.error === 'string'
    ? { ...(body as ErrorBody), ...(body.error_description === undefined ? {} : { message: body.error_description }) }
    : body?.error;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
