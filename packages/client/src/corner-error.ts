import type { ErrorCode } from './openapi.ts';

/**
 * Why a call failed. The codes of the interface are listed at /docs/errors. `UNREACHABLE`: no complete response arrived, so
 * it is unknown what happened. `UNREADABLE`: the response is not one of Corner's; it comes from a proxy, for example.
 */
export type CornerErrorCode = ErrorCode | 'UNREACHABLE' | 'UNREADABLE';

export interface CornerErrorDetails {
  readonly code: CornerErrorCode;
  readonly status: number;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A failed call. Programs should decide by `code`: the meaning of a code never changes. */
export class CornerError extends Error {
  override readonly name = 'CornerError';
  /** A newer version of Corner may return codes that these types do not list. */
  readonly code: CornerErrorCode;
  /** The HTTP status; 0 when no response arrived. */
  readonly status: number;
  /** The id of the request, to quote when you ask for help. Undefined when no response had one. */
  readonly requestId: string | undefined;
  /** The seconds of the Retry-After header; undefined when there was none. */
  readonly retryAfter: number | undefined;

  constructor({ code, status, message, requestId, retryAfter, cause }: CornerErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** Makes a CornerError of an error response. The whole body must have arrived. */
export async function readError(response: Response): Promise<CornerError> {
  const text = await response.clone().text();
  const { code, message, requestId } = errorIn(text) ?? {};
  return new CornerError({
    status: response.status,
    code: code ?? 'UNREADABLE',
    message: message ?? `The response with status ${response.status} is not from Corner.`,
    requestId: requestId ?? response.headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterOf(response),
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

function errorIn(text: string): { code?: ErrorCode; message?: string; requestId?: string } | undefined {
  try {
    return (JSON.parse(text) as { error?: { code?: ErrorCode } } | null)?.error;
  } catch {
    return undefined;
  }
}
