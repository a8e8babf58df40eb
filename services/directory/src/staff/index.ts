export { editStaff } from './rules/staff.ts';
export { pruneInvitations } from './tables/invitations.ts';
export { roleNow } from './transactions/change-staff.ts';
