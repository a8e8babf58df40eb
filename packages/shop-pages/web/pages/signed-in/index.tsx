import { useEffect, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { finishSignIn, NotSignedIn } from '../../session/sign-in.ts';
import { Page } from '../../shell/page.tsx';
import { lastStoreCode } from '../../shell/use-store.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

export default function SignedInPage() {
  const { me: texts } = useTexts();
  const [, navigate] = useLocation();
  const [to, setTo] = useState(homeOf(lastStoreCode()));
  const [failed, setFailed] = useState<unknown>();
  const [kept, setKept] = useState(false);
  useEffect(() => {
    const { search } = location;
    history.replaceState(null, '', location.pathname);
    finishSignIn(search).then((done) => {
      setTo(done.to);
      if (done.guest === 'kept') setKept(true);
      else navigate(done.to, { replace: true });
    }, setFailed);
  }, []);
  return (
    <Page title={failed === undefined ? texts.signIn : texts.notSignedIn}>
      {failed instanceof NotSignedIn ? <Notice kind="warning">{texts.notSignedInHint}</Notice> : null}
      {failed === undefined || failed instanceof NotSignedIn ? null : <ErrorNotice error={failed} />}
      {kept ? <Notice>{texts.guestKept}</Notice> : null}
      {kept || failed !== undefined ? (
        <Link href={to} class="button main">
          {texts.goOn}
        </Link>
      ) : (
        <Skeleton lines={3} />
      )}
    </Page>
  );
}

const homeOf = (code: string | undefined): string => (code === undefined ? '/' : `/s/${encodeURIComponent(code)}/me`);
