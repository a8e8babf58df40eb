import { useEffect, useState } from 'preact/hooks';
import { readSettings } from '../../session/settings.ts';
import { beginSignIn } from '../../session/sign-in.ts';
import { useSession } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useTrying } from '../../ui/use-trying.ts';

export function Account({ code }: { readonly code: string }) {
  const { me: texts } = useTexts();
  const { account, end } = useSession();
  const [offered, setOffered] = useState(false);
  const { busy, failed, trying, rest } = useTrying();
  useEffect(() => {
    readSettings().then(
      ({ accounts }) => setOffered(accounts),
      () => {},
    );
    // The browser restores this page as it was when the customer returns from the provider without a sign-in.
    addEventListener('pageshow', rest);
    return () => removeEventListener('pageshow', rest);
  }, []);
  if (!offered && account === null) return null;
  return (
    <section class="part">
      <h2>{texts.account}</h2>
      <p class="hint">{account === null ? texts.signInHint : texts.signedInAs(account.name)}</p>
      {failed === undefined ? null : <ErrorNotice error={failed} />}
      <div>
        {account === null ? (
          <Button busy={busy} onClick={() => void trying(() => beginSignIn(`/s/${encodeURIComponent(code)}/me`))}>
            {texts.signIn}
          </Button>
        ) : (
          <Button busy={busy} onClick={() => void trying(end)}>
            {texts.signOut}
          </Button>
        )}
      </div>
    </section>
  );
}
