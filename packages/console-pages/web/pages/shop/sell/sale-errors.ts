import { outcomeOf } from '@corner/client';
import { RequestFailed } from '../../../logic/refusal.ts';
import { refusalText } from '../refusal-text.ts';

const statusesOfPerson: readonly number[] = [401, 403, 429];

const isOfCorner = (error: unknown): error is RequestFailed =>
  error instanceof RequestFailed && error.status > 0 && error.code !== 'UNREADABLE';

export const isOfPerson = (error: unknown): boolean => isOfCorner(error) && statusesOfPerson.includes(error.status);

/** Proves that nothing was done, when its request was the only one with its key. */
export const isRefusalOfFirst = (error: unknown): boolean => outcomeOf(error) === 'refused' || isOfPerson(error);

export const troubleOf = (error: unknown, what: string): string | null => (isOfCorner(error) ? refusalText(error, what) : null);
