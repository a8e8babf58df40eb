import { Problem } from '@corner/contracts';

export const unauthenticated = (message: string, cause?: unknown): Problem =>
  new Problem('UNAUTHENTICATED', { message, cause, headers: { 'WWW-Authenticate': 'Bearer realm="corner", error="invalid_token"' } });

export const customerWasErased = (cause?: unknown): Problem => unauthenticated('The customer of this token was erased.', cause);

/** Turns an error of the trigger `refuse_erased` into the refusal of the token. Returns any other error unchanged. */
export function refusalOfErased(error: unknown): unknown {
  for (let fault = error; fault instanceof Error; fault = fault.cause)
    if ((fault as { code?: unknown }).code === 'CR002') return customerWasErased(error);
  return error;
}
