import type { Queries } from '@corner/chassis';
import { type DirectoryObject, roles } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

const StaffRow = z.object({ version: z.number(), data: z.custom<DirectoryObject<'staff'>>((data) => typeof data === 'object') });

export const listStaff = (queries: Queries, storeId: string): Promise<readonly z.output<typeof StaffRow>[]> =>
  queries.any(sql.prepared('list-staff', StaffRow)`
    select o.version, o.data
    from works_at w join object o on o.kind = 'staff' and o.id = w.staff_id
    where w.store_id = ${storeId} order by w.staff_id limit 500`);

const Colleagues = z.object({ people: z.number(), owners: z.number() });

export const countColleagues = (queries: Queries, storeId: string, without: string): Promise<z.output<typeof Colleagues>> =>
  queries.one(sql.prepared('count-colleagues', Colleagues)`
    select count(*) as people, count(*) filter (where role = 'owner') as owners
    from works_at where store_id = ${storeId} and staff_id <> ${without}`);

const RoleRow = z.object({ role: z.enum(roles) });

export const findRole = (queries: Queries, storeId: string, staffId: string): Promise<z.output<typeof RoleRow>['role'] | null> =>
  queries.maybeOneFirst(sql.prepared('find-role-at-store', RoleRow)`
    select role from works_at where store_id = ${storeId} and staff_id = ${staffId}`);
