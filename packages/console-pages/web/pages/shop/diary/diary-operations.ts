import type * as contracts from '@corner/contracts';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { RequestFailed } from '../../../logic/refusal.ts';
import { readAgain } from '../../../shell/queries.ts';
import { request } from '../../../shell/request.ts';
import { query, send } from '../send.ts';
import { directoryPath } from '../settings/index.ts';
import { type BookingState, dayBounds } from './diary-day.ts';

type Page = z.output<typeof contracts.directory.listBookings.reply>;
export type ListedBooking = Page['bookings'][number];

const bookingsPath = (storeId: string): string => directoryPath(storeId, '/bookings');
const pageSize = 100;

/** Reads the bookings of a day of the store, page by page. */
export function useDiary(storeId: string, date: string, zone: string): UseQueryResult<readonly ListedBooking[], RequestFailed> {
  const path = bookingsPath(storeId);
  return useQuery<readonly ListedBooking[], RequestFailed>({
    queryKey: [path, date, zone],
    queryFn: ({ signal }) => readDay(path, dayBounds(date, zone), signal),
    meta: { readAgainFor: { types: ['booking'], subjects: [storeId] } },
  });
}

async function readDay(path: string, { from, to }: ReturnType<typeof dayBounds>, signal: AbortSignal): Promise<readonly ListedBooking[]> {
  const found: ListedBooking[] = [];
  let after: string | undefined;
  for (;;) {
    const asked = { from: new Date(from).toISOString(), limit: pageSize, after };
    const { bookings } = await request<Page>(`${path}?${query(asked)}`, { signal });
    const ofDay = bookings.filter(({ starts_at }) => Date.parse(starts_at) < to);
    found.push(...ofDay);
    after = bookings.at(-1)?.id;
    // They come in the order of their starts.
    if (ofDay.length < pageSize) return found;
  }
}

/** The fields of a booking that a person sets. */
export interface BookingFields {
  readonly unit_id: string;
  readonly starts_at: string;
  readonly ends_at: string;
}

export async function createBooking(storeId: string, body: BookingFields, key: string): Promise<void> {
  await send<unknown>({ of: storeId, path: bookingsPath(storeId), body, key });
  await readAgain(bookingsPath(storeId));
}

/** Changes a booking to the version that was read. The diary is read again in any case: another person may have been faster. */
export async function changeBooking(
  storeId: string,
  { id, version }: ListedBooking,
  body: Partial<BookingFields> & { readonly state?: BookingState },
  key?: string,
): Promise<void> {
  try {
    await send<unknown>({ of: id, method: 'PATCH', path: `${bookingsPath(storeId)}/${encodeURIComponent(id)}`, body, match: version, key });
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.code !== 'VERSION_CONFLICT') throw error;
    throw new RequestFailed(
      error.status,
      error.code,
      'Another person has changed it meanwhile, and it is shown as it is now.',
      error.requestId,
    );
  } finally {
    await readAgain(bookingsPath(storeId));
  }
}
