import type { ErrorCode } from './openapi.ts';

/**
 * Why a call did not come to an answer. A code of the interface is listed at /docs/errors. `UNREACHABLE`: no whole answer came,
 * so what happened is unknown. `UNREADABLE`: an answer came that is not Corner's, from something in between.
 */
export type CornerErrorCode = ErrorCode | 'UNREACHABLE' | 'UNREADABLE';

export interface Refusal {
  readonly code: CornerErrorCode;
  readonly status: number;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A call that was refused or not answered. Decide by `code`: it never changes its meaning. */
export class CornerError extends Error {
  override readonly name = 'CornerError';
  /** A newer Corner may answer codes these types do not know. */
  readonly code: CornerErrorCode;
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Names the request when asking for help; undefined when no answer named one. */
  readonly requestId: string | undefined;
  /** Seconds after which a repeat makes sense, where the answer said so. */
  readonly retryAfter: number | undefined;

  constructor({ code, status, message, requestId, retryAfter, cause }: Refusal) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** Reads a refusal. The whole body must have arrived. */
export async function refusalOf(response: Response): Promise<CornerError> {
  const text = await response.clone().text();
  const { code, message, requestId } = errorIn(text) ?? {};
  return new CornerError({
    status: response.status,
    code: code ?? 'UNREADABLE',
    message: message ?? `The answer with status ${response.status} is not one of Corner's.`,
    requestId: requestId ?? response.headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterOf(response),
  });
}

/** The Retry-After header in seconds, be it a number or a date; undefined when there is none to be read. */
function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  // A date is told apart from our clock by the server's own.
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
