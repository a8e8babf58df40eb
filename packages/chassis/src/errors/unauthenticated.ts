import { Problem } from '@corner/contracts';

/** The refusal of a token. */
export const unauthenticated = (message: string, cause?: unknown): Problem =>
  new Problem('UNAUTHENTICATED', { message, cause, headers: { 'WWW-Authenticate': 'Bearer realm="corner", error="invalid_token"' } });

/** Returns the refusal of the token for an error of the trigger `refuse_erased`, whose customer was erased; any other error as it is. */
export function refusalOfErased(error: unknown): unknown {
  for (let fault = error; fault instanceof Error; fault = fault.cause)
    if ((fault as { code?: unknown }).code === 'CR002') return unauthenticated('The customer of this token was erased.', error);
  return error;
}
