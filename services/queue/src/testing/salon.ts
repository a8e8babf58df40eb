import { randomUUID } from 'node:crypto';
import { type DataInputOf, directoryBooking, directoryCustomer, directoryFloor, directoryStore, type Envelope } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Running } from './running.ts';

export interface ApiResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a body of its own
  readonly body: any;
}

const OutboxEntry = z.object({ type: z.string(), sequence: z.number(), aggregate_id: z.string(), data: z.any() });

type Store = Partial<DataInputOf<typeof directoryStore>>;
type FloorData = DataInputOf<typeof directoryFloor>;
/** A unit names only the fields that differ from the default. */
type Floor = Partial<Omit<FloorData, 'units'>> & { readonly units?: readonly Partial<NonNullable<FloorData['units']>[number]>[] };
type Booking = Partial<DataInputOf<typeof directoryBooking>>;

/** Without a token the caller is a guest, or the owner for the staff's operations. */
export interface Salon {
  readonly storeId: string;
  owner(): Promise<string>;
  staff(): Promise<string>;
  readonly cut: string;
  readonly beard: string;
  readonly chairs: readonly string[];
  join(more?: object, token?: string | null, headers?: Record<string, string>): Promise<ApiResponse>;
  leave(entryId: string, token?: string | null): Promise<ApiResponse>;
  status(query: Record<string, string>, token?: string | null): Promise<ApiResponse>;
  list(token?: string | null): Promise<ApiResponse>;
  before(token?: string | null, headers?: Record<string, string>): Promise<ApiResponse>;
  add(more?: object, token?: string | null, headers?: Record<string, string>): Promise<ApiResponse>;
  switchWalkIns(body: object, token?: string | null): Promise<ApiResponse>;
  clear(token?: string | null): Promise<ApiResponse>;
  log(query?: Record<string, string>, token?: string | null): Promise<ApiResponse>;
  move(move: string, entryId: string, more?: object, token?: string | null): Promise<ApiResponse>;
  post(path: string, body?: object, token?: string | null, headers?: Record<string, string>): Promise<ApiResponse>;
  get(path: string, token?: string | null): Promise<ApiResponse>;
  /** Adds a booking to the diary of the directory between two instants, on the first chair unless `more` names another. */
  book(starts_at: string, ends_at: string, more?: Booking): Promise<void>;
  setStore(store: Store): Promise<void>;
  /** Makes entries of the day before, each offered a chair so many minutes later than quoted. They have no events. */
  pastQuotes(late: readonly number[]): Promise<void>;
  published(): Promise<readonly z.output<typeof OutboxEntry>[]>;
}

/** On 2026-05-01. The chairs work from 09:00 to 17:00 UTC and offer a cut (25 + 5 minutes) and a beard trim (15 minutes). */
export async function openSalon(running: Running, chairCount = 2, store: Store = {}, floor: Floor = {}): Promise<Salon> {
  const storeId = randomUUID();
  const [cut, beard] = [randomUUID(), randomUUID()];
  const chairs = Array.from({ length: chairCount }, () => randomUUID());
  const shifts = [{ starts_at: '2026-05-01T09:00:00Z', ends_at: '2026-05-01T17:00:00Z' }];
  const units = chairs.map((id, index) => ({ id, name: `Chair ${index + 1}`, service_ids: [cut, beard], shifts }));
  const services = [
    { id: cut, name: 'Cut', minutes: 25, buffer_minutes: 5 },
    { id: beard, name: 'Beard', minutes: 15 },
  ];
  let version = 0;
  const setStore = async (more: Store) => {
    version += 1;
    const data = { id: storeId, version, code: 'S1', name: 'Cuts', walk_ins_accepted: true, ...store, ...more };
    await running.consume(envelopeOf(directoryStore, data, { aggregateId: storeId, sequence: version, storeId }));
  };
  const adjusted = (floor.units ?? []).map((unit, index) => ({ ...units[index], ...unit }));
  const data = { store_id: storeId, version: 1, services, ...floor, units: floor.units ? adjusted : units } as FloorData;
  await setStore({});
  await running.consume(envelopeOf(directoryFloor, data, { aggregateId: storeId, storeId }));
  const owner = () => running.issuer.token({ typ: 'merchant', stores: [{ id: storeId, role: 'owner' }] });
  const staff = () => running.issuer.token({ typ: 'staff', sub: cy.id, name: cy.name, stores: [{ id: storeId, role: 'staff' }] });

  const send = async (path: string, token: string | null, body?: unknown, headers = {}): Promise<ApiResponse> => {
    const response = await fetch(`${running.service.url}/api/v1/queue/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  return {
    storeId,
    owner,
    staff,
    cut,
    beard,
    chairs,
    join: (more = {}, token = null, headers = {}) => send('join', token, { store_id: storeId, ...more }, headers),
    leave: (entry_id, token = null) => send('leave', token, { entry_id }),
    status: (query, token = null) => send(`status?${new URLSearchParams(query)}`, token),
    before: (token = null, headers = {}) => send(`stores/${storeId}`, token, undefined, headers),
    list: async (token) => send(`entries?store_id=${storeId}`, token === undefined ? await owner() : token),
    add: async (more = {}, token, headers = {}) =>
      send('entries', token === undefined ? await staff() : token, { store_id: storeId, ...more }, headers),
    switchWalkIns: async (body, token) => send(`stores/${storeId}/walk-ins`, token === undefined ? await staff() : token, body),
    clear: async (token) => send(`stores/${storeId}/clear`, token === undefined ? await owner() : token, {}),
    log: async (query = {}, token) =>
      send(`log?${new URLSearchParams({ store_id: storeId, ...query })}`, token === undefined ? await staff() : token),
    move: async (move, entryId, more = {}, token) =>
      send(`entries/${entryId}/${move}`, token === undefined ? await owner() : token, { store_id: storeId, ...more }),
    post: (path, body = {}, token = null, headers = {}) => send(path, token, { store_id: storeId, ...body }, headers),
    get: (path, token = null) => send(path, token),
    setStore,
    async book(starts_at, ends_at, more = {}) {
      const id = more.id ?? randomUUID();
      const booking = { id, version: 1, store_id: storeId, unit_id: chairs[0] as string, starts_at, ends_at, ...more };
      await running.consume(envelopeOf(directoryBooking, booking, { aggregateId: id, sequence: booking.version, storeId }));
    },
    async pastQuotes(late) {
      await running.service.database.query(sql.type(z.object({}))`
        insert into entry (id, entry_id, store_id, party_size, status, joined_at, ended_at, quoted_wait_min, late_min)
        select gen_random_uuid(), gen_random_uuid(), ${storeId}, 1, 'completed', at, at + interval '2 hours', 30, late
        from (
          select late, '2026-04-30T10:00:00Z'::timestamptz + make_interval(secs => n) as at
          from ${sql.unnest(
            late.map((minutes, n) => [minutes, n]),
            ['int4', 'int4'],
          )} as quotes (late, n)
        ) quotes`);
    },
    published: () =>
      running.service.database.any(sql.type(OutboxEntry)`
        select type, aggregate_sequence as sequence, aggregate_id, data from outbox where store_id = ${storeId} order by id`),
  };
}

export const cy = { id: '0190a000-0000-7000-8000-0000000000c1', name: 'Cy' } as const;

export async function someCustomer(running: Running): Promise<{ readonly id: string; readonly token: string }> {
  const id = randomUUID();
  return { id, token: await running.issuer.token({ typ: 'customer', sub: id }) };
}

/** Versions differ by name here, and by number of chairs or hour below, so that a test sees which version is kept. */
export const storeSnapshot = (id: string, version: number): Envelope =>
  envelopeOf(
    directoryStore,
    { id, version, code: 'S1', name: `Version ${version}`, walk_ins_accepted: version % 2 === 0, called_hold_minutes: version },
    { aggregateId: id, sequence: version, storeId: id },
  );

export function floorSnapshot(storeId: string, version: number): Envelope {
  const service = { id: randomUUID().toUpperCase(), name: 'Cut', minutes: 25, buffer_minutes: 5 };
  const units = Array.from({ length: version }, (_, index) => ({
    id: randomUUID(),
    name: `Chair ${index + 1}`,
    service_ids: [service.id],
    shifts: [{ starts_at: '2026-05-01T09:00:00Z', ends_at: '2026-05-01T17:00:00Z' }],
  }));
  return envelopeOf(
    directoryFloor,
    { store_id: storeId, version, services: [service], units },
    { aggregateId: storeId, sequence: version, storeId },
  );
}

export const bookingSnapshot = (id: string, storeId: string, version: number, state: 'booked' | 'cancelled' = 'booked'): Envelope =>
  envelopeOf(
    directoryBooking,
    {
      id,
      version,
      store_id: storeId,
      unit_id: randomUUID(),
      starts_at: `2026-05-01T0${version}:00:00Z`,
      ends_at: `2026-05-01T0${version}:30:00Z`,
      state,
    },
    { aggregateId: id, sequence: version, storeId },
  );

export const customerSnapshot = (id: string, version: number): Envelope =>
  envelopeOf(directoryCustomer, { id, version, name: `Version ${version}` }, { aggregateId: id, sequence: version, customerId: id });
