import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Body, pathTo, type Reply } from '../../../logic/platform.ts';
import type { RequestFailed } from '../../../logic/refusal.ts';
import { readAgain } from '../../../shell/queries.ts';
import { request } from '../../../shell/request.ts';
import { send, sendToVersion } from '../send.ts';
import { dayBounds } from './diary-day.ts';

const bookings = '/api/v1/directory/stores/{store_id}/bookings';
export type ListedBooking = Reply<`GET ${typeof bookings}`>['bookings'][number];

const bookingsPath = (store_id: string): string => pathTo(bookings, { store_id });
const pageSize = 100;

export function useDiary(storeId: string, date: string, zone: string): UseQueryResult<readonly ListedBooking[], RequestFailed> {
  return useQuery<readonly ListedBooking[], RequestFailed>({
    queryKey: [bookingsPath(storeId), date, zone],
    queryFn: ({ signal }) => readDay(storeId, dayBounds(date, zone), signal),
    meta: { readAgainFor: { types: ['booking'], subjects: [storeId] } },
  });
}

async function readDay(
  store_id: string,
  { from, to }: ReturnType<typeof dayBounds>,
  signal: AbortSignal,
): Promise<readonly ListedBooking[]> {
  const found: ListedBooking[] = [];
  let after: string | undefined;
  for (;;) {
    const path = pathTo(bookings, { store_id, from: new Date(from).toISOString(), limit: pageSize, after });
    const page = (await request(path, { signal })).bookings;
    const ofDay = page.filter(({ starts_at }) => Date.parse(starts_at) < to);
    found.push(...ofDay);
    after = page.at(-1)?.id;
    if (ofDay.length < pageSize) return found;
  }
}

export interface BookingFields {
  readonly unit_id: string;
  readonly starts_at: string;
  readonly ends_at: string;
}

export async function createBooking(store_id: string, body: BookingFields, key: string): Promise<void> {
  await send(`POST ${bookings}`, { of: store_id, at: { store_id }, body, key });
  await readAgain(bookingsPath(store_id));
}

/** Changes a booking at the version that was read. The diary is read again in any case: another person may have been faster. */
export async function changeBooking(
  store_id: string,
  { id, version }: ListedBooking,
  body: Body<`PATCH ${typeof bookings}/{booking_id}`>,
  key?: string,
): Promise<void> {
  try {
    await sendToVersion(version, `PATCH ${bookings}/{booking_id}`, { of: id, at: { store_id, booking_id: id }, body, key });
  } finally {
    await readAgain(bookingsPath(store_id));
  }
}
