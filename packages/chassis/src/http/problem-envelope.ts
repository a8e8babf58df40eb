import type { Problem } from '@corner/contracts';

/** The one shape of a refusal. */
export const envelopeOfProblem = ({ code, message }: Problem, requestId: string) => ({ error: { code, message, requestId } });
