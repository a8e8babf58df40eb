import type { ChangedBy } from '@corner/contracts';

export const isStaff = ({ type }: { readonly type: string }): boolean => type === 'merchant' || type === 'staff';

export const byOf = ({ id, name }: ChangedBy): ChangedBy => ({ id, name });
