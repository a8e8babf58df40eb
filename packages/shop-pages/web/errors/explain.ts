import { CornerError } from '@corner/client';
import type { Texts } from '../texts/en/index.ts';
import { type Place, placeOf } from './codes.ts';

export interface Explained {
  readonly happened: string;
  readonly toDo: string;
  /** For the shop's help; null where the customer can solve it. */
  readonly requestId: string | null;
  readonly place: Place | null;
}

export function explain(error: unknown, { errors }: Pick<Texts, 'errors'>): Explained {
  const code = error instanceof CornerError && Object.hasOwn(errors, error.code) ? (error.code as keyof typeof errors) : 'unknown';
  const [happened, toDo] = errors[code];
  return {
    happened,
    toDo,
    place: placeOf[code] ?? null,
    requestId: (code === 'unknown' && error instanceof CornerError && error.requestId) || null,
  };
}
