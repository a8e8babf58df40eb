import { Problem } from '@corner/contracts';

/** The refusal of a token. */
export const unauthenticated = (message: string, cause?: unknown): Problem =>
  new Problem('UNAUTHENTICATED', { message, cause, headers: { 'WWW-Authenticate': 'Bearer realm="corner", error="invalid_token"' } });

/** The refusal of a token whose customer was erased. */
export const customerWasErased = (cause?: unknown): Problem => unauthenticated('The customer of this token was erased.', cause);

/** Returns the refusal of the token for an error of the trigger `refuse_erased`, whose customer was erased; any other error as it is. */
export function refusalOfErased(error: unknown): unknown {
  for (let fault = error; fault instanceof Error; fault = fault.cause)
    if ((fault as { code?: unknown }).code === 'CR002') return customerWasErased(error);
  return error;
}
