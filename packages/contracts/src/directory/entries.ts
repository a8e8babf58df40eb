import { z } from 'zod';
import type { EventContract } from '../event.ts';
import { Id } from '../operator.ts';
import {
  directoryBooking,
  directoryCustomer,
  directoryFloor,
  directoryMenu,
  directoryProgramme,
  directorySlots,
  directoryStaff,
  directoryStore,
} from './events.ts';
import type { DirectoryFile } from './file.ts';
import { type ObjectKind, objectKinds } from './shapes.ts';

export const listOfKind = {
  store: 'stores',
  menu: 'menus',
  slots: 'slots',
  programme: 'programmes',
  floor: 'floors',
  booking: 'bookings',
  customer: 'customers',
  staff: 'staff',
} as const satisfies Record<ObjectKind, keyof DirectoryFile>;

export const snapshotOfKind: Readonly<Record<ObjectKind, EventContract>> = {
  store: directoryStore,
  menu: directoryMenu,
  slots: directorySlots,
  programme: directoryProgramme,
  floor: directoryFloor,
  booking: directoryBooking,
  customer: directoryCustomer,
  staff: directoryStaff,
};

export const DirectoryEntry = z.object({ kind: z.enum(objectKinds), id: Id, data: z.record(z.string(), z.unknown()) });
export type DirectoryEntry = z.output<typeof DirectoryEntry>;

/** Returns stores first, since other objects refer to them. */
export const entriesInFile = (file: DirectoryFile): DirectoryEntry[] =>
  objectKinds.flatMap((kind) =>
    file[listOfKind[kind]].map((data) => ({ kind, id: 'id' in data ? data.id : data.store_id, data: { ...data } })),
  );

/** Returns the store of an object; null for a customer and a member of staff, who belong to no store or to many. */
export const storeOfEntry = ({
  kind,
  id,
  data,
}: {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly data: object;
}): string | null => (kind === 'store' ? id : 'store_id' in data ? String(data.store_id) : null);

export const Imported = z.object({ added: z.int(), changed: z.int(), unchanged: z.int(), published: z.int() });
export type Imported = z.output<typeof Imported>;
