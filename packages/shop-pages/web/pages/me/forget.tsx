import { kept } from '@corner/page-kit/browser/storage';
import { useState } from 'preact/hooks';
import { useClient, useSession } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { AskSheet } from '../../ui/ask-sheet.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useTrying } from '../../ui/use-trying.ts';
import { unlinkPush } from './push.ts';

export function Forget() {
  const { me: texts } = useTexts();
  const client = useClient();
  const { customerId, end } = useSession();
  const [asking, setAsking] = useState(false);
  const [forgotten, setForgotten] = useState(false);
  const { busy, failed, trying } = useTrying();
  const forget = () =>
    trying(async () => {
      await unlinkPush(client);
      await end();
      kept.removeAll('corner.');
      setAsking(false);
      setForgotten(true);
    });
  return (
    <section class="part">
      <h2>{texts.data}</h2>
      {forgotten && customerId === null ? <Notice kind="good">{texts.forgotten}</Notice> : null}
      <p class="hint">{texts.dataHint}</p>
      <p class="hint">{customerId === null ? texts.noCustomer : texts.guest(customerId)}</p>
      <div>
        <Button kind="danger" onClick={() => setAsking(true)}>
          {texts.forget}
        </Button>
      </div>
      {asking ? (
        <AskSheet
          title={texts.forgetAsk}
          hint={texts.forgetHint}
          yes={texts.forget}
          no={texts.keep}
          {...{ busy, failed }}
          onYes={forget}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </section>
  );
}
