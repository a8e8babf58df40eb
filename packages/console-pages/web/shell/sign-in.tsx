import { useEffect, useState } from 'react';
import { invitationPath, invitationToken } from './invitation.ts';

export default function SignIn() {
  const [invited] = useState(() => invitationToken() !== null);
  useEffect(() => {
    document.title = 'Sign in · Corner';
  }, []);
  const back = invited ? invitationPath : location.pathname + location.search;
  return (
    <main className="alone">
      <div className="sign-in">
        <p className="brand">
          <span className="brand-mark" aria-hidden="true" />
          Corner
        </p>
        <h1>{invited ? 'You are invited' : 'Sign in'}</h1>
        <p className="quiet">
          {invited
            ? 'Sign in, or make an account, and join the store that invites you.'
            : 'Your session has ended, or you have not signed in yet. You come back to this page.'}
        </p>
        <a className="button primary" href={`/sign-in?to=${encodeURIComponent(back)}`}>
          Sign in
        </a>
      </div>
    </main>
  );
}
