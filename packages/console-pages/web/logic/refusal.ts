import type { Refusal } from '@corner/console-api';
import type { z } from 'zod';

/** Has the code and the id to quote. The status is 0 when there was no response. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly details: unknown;

  constructor(status: number, code: string, message: string, requestId?: string, details?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
  }
}

/** A body that is not a problem of the platform, such as a proxy's page, is not shown. */
export function failureOf(status: number, body: unknown, requestId: string | undefined): RequestFailed {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as Partial<z.output<typeof Refusal>>;
  if (error === undefined || typeof error.code !== 'string')
    return new RequestFailed(status, 'UNREADABLE', `The server replied with status ${status}.`, requestId);
  return new RequestFailed(status, error.code, sentence(error.message), error.requestId ?? requestId, error.details);
}

export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return trimmed;
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`;
}

export const mayPass = (error: unknown): boolean =>
  !(error instanceof RequestFailed) || error.status === 0 || error.status === 429 || error.status >= 500;
