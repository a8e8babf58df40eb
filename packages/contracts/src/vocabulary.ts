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
/** A choice of an option, such as oat milk; its id means the same in all options of the store. */
export const ChoiceId = z.string().min(1).max(64);
export const RefundAttemptId = id();

/** The fourteen allergens of regulation (EU) 1169/2011, annex II, which the United Kingdom kept. */
export const allergens = [
  'celery',
  'crustaceans',
  'eggs',
  'fish',
  'gluten',
  'lupin',
  'milk',
  'molluscs',
  'mustard',
  'nuts',
  'peanuts',
  'sesame',
  'soya',
  'sulphites',
] as const;
export type Allergen = (typeof allergens)[number];

export const diets = ['vegetarian', 'vegan', 'gluten_free', 'lactose_free', 'halal', 'kosher'] as const;
export type Diet = (typeof diets)[number];

export const Allergens = z
  .array(z.enum(allergens))
  .max(allergens.length)
  .nullable()
  .describe('The allergens in it. Empty: none of the fourteen. Null: the store has not said, which an app must not show as none.');

export const ClientKey = id();

/** Whole pence (minor units), never negative. */
export const Pence = z.int().min(0);
/** The largest amount, in minor units; it is high because the units of some currencies are small. */
export const mostPence = 2_147_483_647;
export const SignedPence = z.int();

/** An instant in a request: ISO 8601 with any offset. */
export const InstantInput = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 instant, for example 2026-05-01T12:00:00Z' });
/** A day in a request, such as 2026-05-01. Postgres has no year 0. */
export const Day = z.iso.date({ error: 'must be a day, for example 2026-05-01' }).refine((day) => !day.startsWith('0000'), 'has no year 0');
/** An instant in a reply or event: ISO 8601 in UTC with `Z`. Timestamps of rows have microseconds. */
export const Instant = z.string().meta({ format: 'date-time' });
export const Currency = z.string().length(3);

/** An integer in a query, written in decimal digits only: 1e2, 0x10, +5 and a space are refused. */
export const queryInteger = <T extends z.ZodType<number>>(integer: T) =>
  z.preprocess((text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text), integer);

export const pageOfLog = {
  day: Day.optional().describe('One day in the store’s time zone, such as 2026-05-01. Every day when absent.'),
  limit: queryInteger(z.int().min(1).max(100).default(50)).describe('Rows in a page.'),
  before: z
    .string()
    .regex(/^\d{1,18}$/, 'must be the id of a row')
    .optional()
    .describe('The id of the last row of the page before.'),
};

/** Marks a field of a reply that the interface does not promise: `x-extension` in the OpenAPI document. */
export const extension = <T extends z.ZodType>(field: T): T => field.meta({ ...field.meta(), 'x-extension': true });

/** From the least rights to the most. Each role may do all that those before it may. */
export const roles = ['staff', 'manager', 'owner'] as const;
export type Role = (typeof roles)[number];

export const partnerScopes = [
  'orders:read',
  'orders:write',
  'orders:refund',
  'orders:create',
  'orders:status',
  'reports:read',
  'queue:read',
  'queue:act',
  'loyalty:read',
  'loyalty:grant',
  'menu:read',
  'menu:switch',
  'events:read',
] as const;
export type PartnerScope = (typeof partnerScopes)[number];

export const ChangedBy = z.object({
  id: z.string().describe('The subject of their token.'),
  name: z.string().nullable().describe('The name in their token. Null when it has none.'),
});
export type ChangedBy = z.output<typeof ChangedBy>;

export const requiredServices = ['orders', 'loyalty', 'queue', 'notifications'] as const;
/** The services that a deployment may leave out. An upstream then publishes as `directory`. */
export const optionalServices = ['directory'] as const;
export type RequiredService = (typeof requiredServices)[number];
export type OptionalService = (typeof optionalServices)[number];

/** The names of the services. They are also the names of the Postgres schemas and the first token of NATS subjects. */
export const services = [...requiredServices, ...optionalServices] as const;
export type ServiceName = (typeof services)[number];

/** Reads SERVICES_LEFT_OUT: names of optional services, separated by commas. Throws a sentence for any other name. */
export function servicesWithout(leftOut = ''): readonly ServiceName[] {
  const names = leftOut.split(',').flatMap((name) => name.trim() || []);
  const required = names.find((name) => !optionalServices.some((optional) => optional === name));
  if (required !== undefined) throw new Error(`names ${required}, which cannot be left out: ${optionalServices.join(', ')} can`);
  return services.filter((service) => !names.includes(service));
}

export const producers = services;
export type Producer = ServiceName;

/**
 * Returns whether a migration runs outside a transaction, to build indexes while its table is written to: its first line is exactly `--
 * outside a transaction`.
 */
export const runsOutsideTransaction = (sql: string): boolean => /^-- outside a transaction\r?\n/.test(sql);
