import type { Language, Role } from '@corner/contracts';

/** `language`: that of the mail; null for the store’s. */
export interface Invitation {
  readonly id: string;
  readonly store_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly language: Language | null;
  readonly by_id: string;
  readonly by_name: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly accepted_by: string | null;
  readonly withdrawn: boolean;
}

const lastsMs = 7 * 86_400_000;

export const invitationExpiry = (now: Date): Date => new Date(now.getTime() + lastsMs);

export const isOpen = ({ accepted_by, withdrawn, expires_at }: Invitation, now: Date): boolean =>
  accepted_by === null && !withdrawn && Date.parse(expires_at) > now.getTime();

/** Returns whether a person with a role at a store may still stand for an invitation to a role; null for one who works there no more. */
export const mayInvite = (inviter: Role | null, invited: Role): boolean =>
  inviter === 'owner' || (inviter === 'manager' && invited === 'staff');

/** Shows of the address only its first character and its domain. */
export function invitationView({ id, name, role, email, by_id, by_name, created_at, expires_at }: Invitation) {
  const [first = ''] = email;
  const masked = `${first}…${email.slice(email.lastIndexOf('@'))}`;
  return { id, name, role, email: masked, invited_by: { id: by_id, name: by_name }, created_at, expires_at };
}
