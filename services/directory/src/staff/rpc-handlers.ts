import { handleRpc } from '@corner/chassis';
import { readInvitation } from '@corner/contracts';
import type { Context } from '../context.ts';
import { findObject } from '../object/tables.ts';
import { isOpen, mayInvite } from './rules/invitations.ts';
import { findInvitation } from './tables/invitations.ts';
import { findRole } from './tables/staff.ts';

/** Returns the content of an invitation's mail; null once it is not open, and where no token is signed. */
export const handleReadInvitation = handleRpc(readInvitation, async ({ invitation_id, store_id }, { database, now, tokens }: Context) => {
  const invitation = await findInvitation(database, store_id, invitation_id);
  const store = await findObject(database, { kind: 'store', id: store_id, storeId: store_id });
  if (!tokens || !store || !invitation || !isOpen(invitation, now())) return { invitation: null };
  const { email, name, role, language, by_id, by_name: invited_by, expires_at } = invitation;
  if (!mayInvite(await findRole(database, store_id, by_id), role)) return { invitation: null };
  const token = tokens.seal('invitation', invitation.id);
  return { invitation: { email, name, role, language, store_name: store.data.name, invited_by, token, expires_at } };
});
