import { useState } from 'preact/hooks';
import { useRead } from '../../session/use-read.ts';
import { useClient } from '../../session/use-session.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useTrying } from '../../ui/use-trying.ts';

interface Props {
  readonly storeId: string;
  readonly shop: string;
  readonly onAnswered?: () => void;
}

export function MarketingAsk({ storeId, shop, onAnswered }: Props) {
  const { me: texts } = useTexts();
  const { language: locale } = useLanguage();
  const client = useClient();
  const { data } = useRead('/api/v1/notifications/marketing-ask', { params: { query: { store_id: storeId } } });
  const [answered, setAnswered] = useState(false);
  const { busy, failed, trying } = useTrying();
  const answer = (accepted: boolean) =>
    trying(async () => {
      // The text that is recorded with the answer is the one that the customer reads below.
      const shown = { text: `${texts.ask(shop)} ${texts.marketingHint}`, locale };
      await client.POST('/api/v1/notifications/marketing-opt-in', { body: { store_id: storeId, accepted, shown } });
      setAnswered(true);
      onAnswered?.();
    });
  if (!data?.ask || answered) return null;
  return (
    <section class="part">
      <h2>{texts.ask(shop)}</h2>
      <p class="hint">{texts.marketingHint}</p>
      {failed === undefined ? null : <ErrorNotice error={failed} />}
      <div class="actions">
        <Button busy={busy} onClick={() => void answer(true)}>
          {texts.askYes}
        </Button>
        <Button kind="quiet" busy={busy} onClick={() => void answer(false)}>
          {texts.askNo}
        </Button>
      </div>
    </section>
  );
}
