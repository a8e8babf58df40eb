import type { Language, Role } from '@corner/contracts';

export interface Invitation {
  readonly id: string;
  readonly store_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Of the mail; null for the store’s. */
  readonly language: Language | null;
  /** Who invites. */
  readonly by_id: string;
  readonly by_name: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly accepted_by: string | null;
  readonly withdrawn: boolean;
}

/** Milliseconds that an invitation can be accepted. */
const lastsMs = 7 * 86_400_000;

export const invitationExpiry = (now: Date): Date => new Date(now.getTime() + lastsMs);

export const isOpen = ({ accepted_by, withdrawn, expires_at }: Invitation, now: Date): boolean =>
  accepted_by === null && !withdrawn && Date.parse(expires_at) > now.getTime();

/** Whether a person with a role at a store may still stand for an invitation to a role; null for one who works there no more. */
export const mayInvite = (inviter: Role | null, invited: Role): boolean =>
  inviter === 'owner' || (inviter === 'manager' && invited === 'staff');

/** Returns an invitation as managers see it: of the address only its first character and its domain. */
export function invitationView({ id, name, role, email, by_id, by_name, created_at, expires_at }: Invitation) {
  const [first = ''] = email;
  const masked = `${first}…${email.slice(email.lastIndexOf('@'))}`;
  return { id, name, role, email: masked, invited_by: { id: by_id, name: by_name }, created_at, expires_at };
}
