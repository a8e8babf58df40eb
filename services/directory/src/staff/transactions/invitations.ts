import { outboxEntry, type Transaction } from '@corner/chassis';
import { type ChangedBy, type DirectoryObject, Problem, type Role, staffInvited } from '@corner/contracts';
import { findObject } from '../../object/tables.ts';
import { type Invitation, invitationExpiry, isOpen, mayInvite } from '../rules/invitations.ts';
import { checkStaffRoles } from '../rules/staff.ts';
import {
  endInvitation,
  findInvitationOf,
  findInvitationOfLink,
  insertInvitation,
  listOpenInvitations,
  lockInvitation,
  withdrawInvitationTo,
} from '../tables/invitations.ts';
import { findRole } from '../tables/staff.ts';
import { changeStaff } from './change-staff.ts';

const mostOpen = 100;

export interface InvitationRequest {
  readonly storeId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly language: Invitation['language'];
  readonly by: ChangedBy;
  readonly byRole: Role;
  readonly requestId: string | null;
}

/** Invites a person, and withdraws an open invitation to the address. Throws STORE_NOT_FOUND, INSUFFICIENT_ROLE and VALIDATION_FAILED. */
export async function inviteStaff(tx: Transaction, wanted: InvitationRequest): Promise<Invitation> {
  const { storeId, by, byRole, requestId, ...person } = wanted;
  const made = requestId === null ? null : await findInvitationOf(tx, requestId);
  if (made) return made;
  checkStaffRoles(byRole, [person.role]);
  await readStore(tx, storeId);
  const invitation = {
    ...person,
    id: tx.newId(),
    store_id: storeId,
    by_id: by.id,
    by_name: by.name,
    created_at: tx.now.toISOString(),
    expires_at: invitationExpiry(tx.now).toISOString(),
    request_id: requestId,
  };
  await withdrawInvitationTo(tx, invitation);
  if ((await listOpenInvitations(tx, storeId, tx.now)).length >= mostOpen)
    throw new Problem('VALIDATION_FAILED', { message: `email: a store has at most ${mostOpen} open invitations; withdraw some first` });
  const event = outboxEntry(staffInvited, {
    aggregateId: invitation.id,
    sequence: 1,
    storeId,
    data: { invitation_id: invitation.id, store_id: storeId, at: invitation.created_at },
  });
  const written = await insertInvitation(tx, invitation, event);
  // Another transaction has invited the address since, so there is an invitation to withdraw now.
  return written ?? (await inviteStaff(tx, wanted));
}

/** Withdraws an invitation of a store; one that is withdrawn stays so. Throws INVITATION_NOT_FOUND, INVITATION_ENDED and INSUFFICIENT_ROLE. */
export async function withdrawInvitation(
  tx: Transaction,
  { storeId, id, byRole }: { readonly storeId: string; readonly id: string; readonly byRole: Role },
): Promise<Invitation> {
  const invitation = await lockInvitation(tx, id);
  if (invitation?.store_id !== storeId) throw new Problem('INVITATION_NOT_FOUND');
  checkStaffRoles(byRole, [invitation.role]);
  if (invitation.accepted_by !== null)
    throw new Problem('INVITATION_ENDED', { message: 'The invitation was accepted; dismiss the person with changeStaff.' });
  await endInvitation(tx, id, null);
  return invitation;
}

/**
 * Makes a person who has the link one of the staff, in the name of the inviter. A repeat by the same person returns the same. Throws
 * INVITATION_NOT_FOUND, INVITATION_ENDED and STAFF_EXISTS.
 */
export async function acceptInvitation(
  tx: Transaction,
  { id, personId, requestId }: { readonly id: string; readonly personId: string; readonly requestId: string | null },
): Promise<{ readonly store: DirectoryObject<'store'>; readonly role: Role }> {
  const invitation = await lockInvitation(tx, id);
  if (!invitation) throw new Problem('INVITATION_NOT_FOUND');
  const { store_id: storeId, role, name, by_id, by_name } = invitation;
  if (invitation.accepted_by === personId) return { store: await readStore(tx, storeId), role };
  await checkOpen(tx, invitation);
  const by = { id: by_id, name: by_name };
  await changeStaff(tx, { storeId, staffId: personId, byRole: 'owner', add: { name }, change: { role }, expected: null, requestId, by });
  await endInvitation(tx, id, personId);
  return { store: await readStore(tx, storeId), role };
}

export async function openInvitation(
  tx: Transaction,
  id: string,
): Promise<{ readonly invitation: Invitation; readonly store: DirectoryObject<'store'> }> {
  const invitation = await findInvitationOfLink(tx, id);
  if (!invitation) throw new Problem('INVITATION_NOT_FOUND');
  await checkOpen(tx, invitation);
  return { invitation, store: await readStore(tx, invitation.store_id) };
}

/** Throws INVITATION_ENDED for one that is over, and for one by a person who was dismissed or lost the role since. */
async function checkOpen(tx: Transaction, invitation: Invitation): Promise<void> {
  const isByRight = isOpen(invitation, tx.now) && mayInvite(await findRole(tx, invitation.store_id, invitation.by_id), invitation.role);
  if (!isByRight) throw new Problem('INVITATION_ENDED');
}

async function readStore(tx: Transaction, storeId: string): Promise<DirectoryObject<'store'>> {
  const store = await findObject(tx, { kind: 'store', id: storeId, storeId });
  if (!store) throw new Problem('STORE_NOT_FOUND');
  return store.data;
}
