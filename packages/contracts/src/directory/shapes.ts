import { z } from 'zod';
import { ChangedBy, Instant, type roles, StoreId } from '../vocabulary.ts';
import { DirectoryFile } from './file.ts';

/** In the order in which a transaction locks the objects. */
export const objectKinds = ['store', 'menu', 'slots', 'programme', 'floor', 'booking', 'customer', 'staff'] as const;
export type ObjectKind = (typeof objectKinds)[number];

const lists = DirectoryFile.shape;
export const logKinds = [...objectKinds, 'partner'] as const;
export type LogKind = (typeof logKinds)[number];
/** As a file has them: with templates, without a version. */
export const objectSchemas = {
  store: lists.stores.unwrap().element,
  menu: lists.menus.unwrap().element,
  slots: lists.slots.unwrap().element,
  programme: lists.programmes.unwrap().element,
  floor: lists.floors.unwrap().element,
  booking: lists.bookings.unwrap().element,
  customer: lists.customers.unwrap().element,
  staff: lists.staff.unwrap().element,
} as const satisfies Record<ObjectKind, z.ZodObject>;
export type DirectoryObject<K extends ObjectKind = ObjectKind> = z.output<(typeof objectSchemas)[K]>;

/** Makes each field optional and without a default: a named field is set, any other stays. A named list is replaced whole. */
export function changesOf<S extends Fields>(shape: S): z.ZodObject<Changes<S>> {
  const optional = Object.entries(shape).map(([name, field]) => [name, described(withoutDefault(field).optional(), field)]);
  return z.object(Object.fromEntries(optional)) as unknown as z.ZodObject<Changes<S>>;
}

/** As {@link changesOf}, for entries of a list: found by the key, and created when the list has none with it. */
export const entriesOf = <S extends Fields, K extends keyof S & string>(shape: S, key: K) =>
  changesOf(shape).extend({ [key]: shape[key] } as Pick<S, K>);

function withoutDefault(field: z.ZodType): z.ZodType {
  return field instanceof z.ZodDefault || field instanceof z.ZodPrefault ? withoutDefault(field.unwrap() as z.ZodType) : field;
}

const described = (type: z.ZodType, { description }: z.ZodType): z.ZodType =>
  description === undefined ? type : type.describe(description);

type Fields = Readonly<Record<string, z.ZodType>>;
type WithoutDefault<T> = T extends z.ZodDefault<infer I> | z.ZodPrefault<infer I> ? WithoutDefault<I> : T;
type Changes<S extends Fields> = { -readonly [K in keyof S]: z.ZodOptional<Extract<WithoutDefault<S[K]>, z.ZodType>> };

export const Version = z.int().min(0).describe('Counts the edits of the object: its ETag. 0 for an object that no one has made yet.');
export const OfStore = z.object({ store_id: StoreId });

export const StoreSummary = objectSchemas.store
  .pick({ id: true, code: true, name: true, status: true })
  .extend({ version: Version, role: z.enum(['staff', 'manager', 'owner'] satisfies readonly (typeof roles)[number][]) })
  .meta({ id: 'StoreSummary', description: 'A store that the token lists, and the role that it has there.' });

const { id, name, cards } = objectSchemas.staff.shape;
const { token_id: tokenId, store_id: _store, ...cardFields } = cards.unwrap().element.shape;
export const shownOfToken = 4;
/** A person's part of one store, without their roles at other stores and their sessions. */
export const StaffMember = z
  .object({
    id,
    name,
    role: objectSchemas.staff.shape.stores.element.shape.role,
    cards: z
      .array(z.object({ ends_with: z.string().describe(`The last ${shownOfToken} characters of the card’s token id.`), ...cardFields }))
      .describe('Their auth cards of the store.'),
    version: Version,
  })
  .meta({ id: 'StaffMember' });

export const CardChange = changesOf(cardFields).extend({ token_id: tokenId.max(128) });

export const Profile = objectSchemas.customer
  .pick({ id: true, name: true, email: true, phone: true, language: true, push_devices: true })
  .meta({ id: 'Profile' });

export const Booking = objectSchemas.booking.meta({ id: 'Booking' });

export const ChangedField = z.object({
  field: z.string().describe('Its path, such as items.flat-white.price_pence.'),
  from: z.string().nullable().describe('What it was. Null for nothing, and for a value that is personal or secret.'),
  to: z.string().nullable().describe('What it is. Null as with from.'),
});
export type ChangedField = z.output<typeof ChangedField>;

export const DirectoryLogEntry = z
  .object({
    id: z.string().describe('The cursor of the next page.'),
    at: Instant,
    title: z.string().describe('A sentence for the store.'),
    by: ChangedBy,
    kind: z.enum(logKinds).describe('What was changed.'),
    object_id: z
      .string()
      .describe('The object: of a booking, a customer, a member of staff or a partner its id, of anything else the store’s.'),
    version: Version,
    fields: z.array(ChangedField),
  })
  .meta({ id: 'DirectoryLogEntry' });
