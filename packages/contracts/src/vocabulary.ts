import { z } from 'zod';

/** Any RFC 9562 shaped identifier, in lower case, so that two spellings of one id compare equal. */
const id = () => z.guid('must be a UUID').toLowerCase();

export const StoreId = id().meta({ description: 'The store. It also authorises a merchant or staff caller.' });
export const OrderId = id();
export const CustomerId = id();
export const VoucherId = id();
export const StampId = id();
export const RequestId = id();
export const SlotId = id();
export const MenuItemId = z.string().min(1).max(64);
export const RefundAttemptId = id();

/** A natural or client-made key: UUID, compared without regard to case. */
export const ClientKey = id();

/** Whole pence (minor units), never negative. */
export const Pence = z.int().min(0);
/** Whole pence that may be negative: corrections and differences. */
export const SignedPence = z.int();

/** An ISO 8601 instant a caller may send, with any offset. */
export const InstantInput = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 instant, for example 2026-05-01T12:00:00Z' });
/** An instant as we write it: ISO 8601, UTC, `Z`. Row timestamps carry microseconds. */
export const Instant = z.string().meta({ format: 'date-time' });
/** ISO 4217, upper case. */
export const Currency = z.string().length(3);

/** Names of the services, which are also their Postgres schemas and the first word of their subjects. */
export const services = ['orders', 'loyalty', 'queue', 'notifications'] as const;
export type ServiceName = (typeof services)[number];

/** Whoever tells events: the services and the upstream directory. */
export const producers = [...services, 'directory'] as const;
export type Producer = (typeof producers)[number];
