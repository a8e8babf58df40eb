import { z } from 'zod';

/** A UUID (RFC 9562), converted to lower case so that two spellings of one id compare equal. */
const id = () => z.guid('must be a UUID').toLowerCase();

export const StoreId = id().meta({ description: 'The store. It also authorises a merchant or staff caller.' });
export const OrderId = id().meta({ description: 'The order.' });
export const CustomerId = id().meta({ description: 'The customer.' });
export const VoucherId = id().meta({ description: 'The voucher.' });
export const StampId = id().meta({ description: 'The stamp.' });
export const RequestId = id().meta({ description: 'The request for several stamps.' });
export const SlotId = id();
export const MenuItemId = z.string().min(1).max(64);
export const RefundAttemptId = id();

/** A key that the client generates: a UUID, compared without regard to case. */
export const ClientKey = id();

/** Whole pence (minor units), never negative. */
export const Pence = z.int().min(0);
/** Whole pence that may be negative, for corrections and differences. */
export const SignedPence = z.int();

/** An instant in a request: ISO 8601 with any offset. */
export const InstantInput = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 instant, for example 2026-05-01T12:00:00Z' });
/** An instant in a reply or event: ISO 8601 in UTC with `Z`. Timestamps of rows have microseconds. */
export const Instant = z.string().meta({ format: 'date-time' });
/** An ISO 4217 currency code in upper case. */
export const Currency = z.string().length(3);

/** An integer in a query, written in decimal digits only: 1e2, 0x10, +5 and a space are refused. */
export const queryInteger = <T extends z.ZodType<number>>(integer: T) =>
  z.preprocess((text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text), integer);

/** Marks a field of a reply that the interface does not promise: `x-extension` in the OpenAPI document. */
export const extension = <T extends z.ZodType>(field: T): T => field.meta({ ...field.meta(), 'x-extension': true });

/** The names of the services. They are also the names of the Postgres schemas and the first token of NATS subjects. */
export const services = ['orders', 'loyalty', 'queue', 'notifications'] as const;
export type ServiceName = (typeof services)[number];

/** The producers of events: the services and the upstream directory. */
export const producers = [...services, 'directory'] as const;
export type Producer = (typeof producers)[number];

/**
 * Whether the statements of a migration's SQL file run outside a transaction, to build indexes while a table is written to: its first line is
 * `-- outside a transaction`, and nothing else.
 */
export const runsOutsideTransaction = (sql: string): boolean => /^-- outside a transaction\r?\n/.test(sql);
