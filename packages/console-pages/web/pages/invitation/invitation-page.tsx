import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { ActionButton, Empty, Failure, Page } from '../../components/index.ts';
import { RequestFailed } from '../../logic/refusal.ts';
import { announce } from '../../shell/announce.tsx';
import { usePage } from '../../shell/context.ts';
import { forgetInvitation, invitationToken } from '../../shell/invitation.ts';
import { renewSession } from '../../shell/queries.ts';
import { send } from '../shop/send.ts';

/** For someone who followed the link of an invitation: they join the store as the person who is signed in. */
export default function InvitationPage() {
  const { me } = usePage();
  const [token] = useState(invitationToken);
  const join = useMutation({ mutationFn: () => accept(token ?? '') });
  if (token === null)
    return (
      <Page title="Invitation">
        <Empty title="Open the link of the mail again.">This page needs the whole link of an invitation, up to its last letter.</Empty>
      </Page>
    );
  if (me.kind === 'operator')
    return (
      <Page title="Invitation">
        <Empty title="Operators work in no store.">Sign out, and open the link again as the person who is invited.</Empty>
      </Page>
    );
  return (
    <Page title="You are invited" about="Someone wants you to work with them in their store. The mail says who, and where.">
      <div className="card invitation">
        <p>
          You are signed in as <strong>{me.name}</strong>. If that is not you, sign out first: the link works once, for the person who
          joins.
        </p>
        <ActionButton className="primary" busy={join.isPending} aria-busy={join.isPending} onClick={() => join.mutate()}>
          Join as {me.name}
        </ActionButton>
        {join.error ? <Failure error={join.error} /> : null}
        {join.error && me.stores.length > 0 ? <Link href="/">Go to {me.stores[0]?.name}</Link> : null}
      </div>
    </Page>
  );
}

/** Refusals after which the link is of no use. */
const over: ReadonlySet<string> = new Set(['INVITATION_ENDED', 'INVITATION_NOT_FOUND', 'STAFF_EXISTS']);

/** Joins the store and opens it. The session is renewed, since its token lists the stores. */
async function accept(token: string): Promise<void> {
  const sent = { of: 'invitation', body: { token } };
  const { store, role } = await send('POST /api/v1/directory/invitations/accept', sent).catch((error: unknown) => {
    if (error instanceof RequestFailed && over.has(error.code)) forgetInvitation();
    throw error;
  });
  const me = await renewSession();
  forgetInvitation();
  // The platform repeats its reply to the person who accepted, also when they were dismissed since.
  if (!me.stores.some(({ id }) => id === store.id))
    throw new RequestFailed(409, 'INVITATION_ENDED', `You do not work at ${store.name} any more. Ask for another invitation.`);
  announce(`You work at ${store.name} now, as ${role}.`);
  navigate(`/shop/${store.id}/orders`, { replace: true });
}
