import { Page } from '../../shell/page.tsx';
import { useStore } from '../../shell/use-store.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Account } from './account.tsx';
import { Forget } from './forget.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { Messages } from './messages.tsx';
import { MyData } from './my-data.tsx';
import { Notifications } from './notifications.tsx';
import { Profile } from './profile.tsx';

export default function MePage({ code }: { readonly code: string }) {
  const { me: texts } = useTexts();
  const { store } = useStore(code);
  return (
    <Page title={texts.title} code={code}>
      <Account code={code} />
      <LanguageChoice />
      <Profile />
      {store ? <Messages store={store} /> : null}
      <Notifications />
      <Forget />
      <MyData />
    </Page>
  );
}
