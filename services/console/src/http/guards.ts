import type { Permission } from '@corner/console-api';
import { Problem } from '@corner/contracts';
import { z } from 'zod';
import type { Person } from '../sessions/person.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import type { Guard } from './api.ts';
import { Refused } from './send-problems.ts';

/** Throws OPERATOR_ONLY, and INSUFFICIENT_SCOPE for an operator without the permission. */
export const operator =
  (permission: Permission): Guard =>
  ({ person }) => {
    if (person.kind !== 'operator') throw new Refused(403, 'OPERATOR_ONLY', 'This page is for operators.');
    if (!person.permissions.has(permission))
      throw new Problem('INSUFFICIENT_SCOPE', { message: `The token lacks the scope ${permission}.` });
  };

export const mayChange = ({ permissions, stores }: Person): boolean =>
  permissions.has('operator:act') || [...stores.values()].some((role) => role !== 'staff');

export const changer: Guard = (asked) => {
  if (mayChange(asked.person)) return;
  if (asked.person.kind === 'operator') operator('operator:act')(asked);
  throw new Problem('INSUFFICIENT_ROLE');
};

export const atStore: Guard = ({ person, request }) => requireStore(person, String(request.params.store_id));

export const manager: Guard = (asked) => {
  atStore(asked);
  if (asked.person.stores.get(String(asked.request.params.store_id).toLowerCase()) === 'staff') throw new Problem('INSUFFICIENT_ROLE');
};

export function requireStore(person: SignedIn, storeId: string): void {
  if (!person.stores.has(storeId.toLowerCase())) throw new Problem('STORE_FORBIDDEN');
}

/** Throws VALIDATION_FAILED with a sentence that names the fields. */
export function parsed<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const faults = error.issues.slice(0, 10).map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message));
  throw new Problem('VALIDATION_FAILED', { message: faults.join('; ') });
}

export const Id = z.guid('must be a UUID').toLowerCase();
