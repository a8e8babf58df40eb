import { useMutation, useQuery } from '@tanstack/react-query';
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

export default function InvitationPage() {
  const { me } = usePage();
  const [token] = useState(invitationToken);
  const isOperator = me.kind === 'operator';
  const join = useMutation({ mutationFn: () => accept(token ?? '') });
  // The link is looked up once: it is proof on its own, and the page is left when it is accepted.
  const { data: invited, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => send('POST /api/v1/directory/invitations/look-up', { of: 'invitation', body: { token: token ?? '' } }),
    enabled: token !== null && !isOperator,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (token === null)
    return (
      <Page title="Invitation">
        <Empty title="Open the link of the mail again.">This page needs the whole link of an invitation, up to its last letter.</Empty>
      </Page>
    );
  if (isOperator)
    return (
      <Page title="Invitation">
        <Empty title="Operators work in no store.">Sign out, and open the link again as the person who is invited.</Empty>
      </Page>
    );
  return (
    <Page title={invited ? `${invited.store.name} invites you` : 'You are invited'} about={invited ? aboutOf(invited) : undefined}>
      <div className="card invitation">
        <p>
          You are signed in as <strong>{me.name}</strong>. If that is not you, sign out first: the link works once, for the person who
          joins.
        </p>
        <ActionButton className="primary" busy={join.isPending} aria-busy={join.isPending} onClick={() => join.mutate()}>
          Join as {me.name}
        </ActionButton>
        {(join.error ?? error) ? <Failure error={join.error ?? error} /> : null}
        {(join.error ?? error) && me.stores.length > 0 ? <Link href="/">Go to {me.stores[0]?.name}</Link> : null}
      </div>
    </Page>
  );
}

const aboutOf = ({ store, role, invited_by }: { store: { name: string }; role: string; invited_by: string | null }): string =>
  `${invited_by ?? 'Someone'} wants you to work at ${store.name}, as ${role}.`;

const over: ReadonlySet<string> = new Set(['INVITATION_ENDED', 'INVITATION_NOT_FOUND', 'STAFF_EXISTS']);

/**
 * The session is renewed, since its token lists the stores. The platform repeats its reply to the person who accepted, even if they have
 * been dismissed since.
 */
async function accept(token: string): Promise<void> {
  const sent = { of: 'invitation', body: { token } };
  const { store, role } = await send('POST /api/v1/directory/invitations/accept', sent).catch((error: unknown) => {
    if (error instanceof RequestFailed && over.has(error.code)) forgetInvitation();
    throw error;
  });
  const me = await renewSession();
  forgetInvitation();
  if (!me.stores.some(({ id }) => id === store.id))
    throw new RequestFailed(409, 'INVITATION_ENDED', `You do not work at ${store.name} any more. Ask for another invitation.`);
  announce(`You work at ${store.name} now, as ${role}.`);
  navigate(`/shop/${store.id}/orders`, { replace: true });
}
