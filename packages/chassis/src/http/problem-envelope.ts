import type { Problem } from '@corner/contracts';

/** Returns the body of every error response. */
export const envelopeOfProblem = ({ code, message }: Problem, requestId: string) => ({ error: { code, message, requestId } });
