import type { Operation } from '@corner/chassis';
import { type directory as contracts, Problem } from '@corner/contracts';
import { type Context, issuerOf } from '../../context.ts';
import { checkStore, madeBy, roleOf } from '../../object/transactions/object-requests.ts';
import { invitationView } from '../rules/invitations.ts';
import { listOpenInvitations } from '../tables/invitations.ts';
import {
  acceptInvitation as accept,
  inviteStaff as invite,
  openInvitation,
  withdrawInvitation as withdraw,
} from '../transactions/invitations.ts';

export const inviteStaff: Operation<typeof contracts.inviteStaff, Context> = async (request, context) => {
  issuerOf(context);
  const { caller, body, params } = request;
  const { requestId, by } = madeBy('inviteStaff', request);
  const wanted = {
    ...body,
    language: body.language ?? null,
    storeId: params.store_id,
    by,
    byRole: roleOf(caller, params.store_id),
    requestId,
  };
  return { invitation: invitationView(await context.database.transaction((tx) => invite(tx, wanted))) };
};

export const listInvitations: Operation<typeof contracts.listInvitations, Context> = async ({ params }, { database, now }) => {
  await checkStore(database, params.store_id);
  return { invitations: (await listOpenInvitations(database, params.store_id, now())).map(invitationView) };
};

export const withdrawInvitation: Operation<typeof contracts.withdrawInvitation, Context> = async ({ caller, params }, { database }) => {
  const { store_id: storeId, invitation_id: id } = params;
  const invitation = await database.transaction((tx) => withdraw(tx, { storeId, id, byRole: roleOf(caller, storeId) }));
  return { invitation: invitationView(invitation) };
};

export const acceptInvitation: Operation<typeof contracts.acceptInvitation, Context> = async (request, context) => {
  const id = issuerOf(context).open('invitation', request.body.token);
  if (id === null) throw new Problem('INVITATION_NOT_FOUND');
  const { requestId } = madeBy('acceptInvitation', request);
  const { store, role } = await context.database.transaction((tx) => accept(tx, { id, personId: request.caller.id, requestId }));
  return { store: { id: store.id, code: store.code, name: store.name }, role };
};

export const lookUpInvitation: Operation<typeof contracts.lookUpInvitation, Context> = async ({ body }, context) => {
  const id = issuerOf(context).open('invitation', body.token);
  if (id === null) throw new Problem('INVITATION_NOT_FOUND');
  const { store, invitation } = await context.database.transaction((tx) => openInvitation(tx, id));
  return { store: { name: store.name }, role: invitation.role, invited_by: invitation.by_name };
};
