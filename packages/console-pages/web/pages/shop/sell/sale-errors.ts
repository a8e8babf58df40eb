import { outcomeOf } from '@corner/client';
import { RequestFailed } from '../../../logic/refusal.ts';
import { refusalText } from '../refusal-text.ts';

/** Statuses about the signed-in person, or the number of their requests. */
const statusesOfPerson: readonly number[] = [401, 403, 429];

/** Whether an error is a response of the platform that says what is wrong: the connection works. */
const isOfCorner = (error: unknown): error is RequestFailed =>
  error instanceof RequestFailed && error.status > 0 && error.code !== 'UNREADABLE';

/** Whether any other request of the person would be refused too. */
export const isOfPerson = (error: unknown): boolean => isOfCorner(error) && statusesOfPerson.includes(error.status);

/** Whether an error proves that nothing was done, when its request was the only one with its key. */
export const isRefusalOfFirst = (error: unknown): boolean => outcomeOf(error) === 'refused' || isOfPerson(error);

/** Returns why a sale was not recorded, or may not have been, from a response; null without one. */
export const troubleOf = (error: unknown, what: string): string | null => (isOfCorner(error) ? refusalText(error, what) : null);
