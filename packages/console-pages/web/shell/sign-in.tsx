import { useEffect } from 'react';

/** For a person without a session: a link that signs in and comes back to this page. */
export function SignIn() {
  useEffect(() => {
    document.title = 'Sign in · Corner';
  }, []);
  const back = encodeURIComponent(location.pathname + location.search);
  return (
    <main className="alone">
      <div className="sign-in">
        <p className="brand">
          <span className="brand-mark" aria-hidden="true" />
          Corner
        </p>
        <h1>Sign in</h1>
        <p className="quiet">Your session has ended, or you have not signed in yet. You come back to this page.</p>
        <a className="button primary" href={`/sign-in?to=${back}`}>
          Sign in
        </a>
      </div>
    </main>
  );
}
