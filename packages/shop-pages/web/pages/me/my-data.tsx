import { kept } from '@corner/page-kit/browser/storage';
import { useState } from 'preact/hooks';
import { useClient, useSession } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { AskSheet } from '../../ui/ask-sheet.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { useTrying } from '../../ui/use-trying.ts';
import { exportPage } from './export-page.ts';

function Erased({ receipt }: { readonly receipt: string }) {
  const { myData: texts } = useTexts();
  return (
    <section class="part">
      <Notice kind="good">{texts.erased}</Notice>
      <p>
        <a href={`/api/v1/directory/erasures/${receipt}`}>{texts.certificate}</a>
      </p>
    </section>
  );
}

function download(as: 'json' | 'html', data: Parameters<typeof exportPage>[0], title: string): void {
  const text = as === 'json' ? JSON.stringify(data, null, 2) : exportPage(data, title);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: as === 'json' ? 'application/json' : 'text/html' }));
  link.download = `my-data.${as}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function MyData() {
  const { myData: texts } = useTexts();
  const client = useClient();
  const { customerId, end } = useSession();
  const [asking, setAsking] = useState(false);
  const [receipt, setReceipt] = useState<string | null>(null);
  const { busy, failed, trying } = useTrying();
  const save = (as: 'json' | 'html') =>
    trying(async () => download(as, (await client.GET('/api/v1/directory/me/export')).data, texts.title));
  const erase = () =>
    trying(async () => {
      const { data } = await client.DELETE('/api/v1/directory/me');
      setReceipt(data.receipt);
      await end();
      kept.removeAll('corner.');
      setAsking(false);
    });
  if (receipt !== null) return <Erased receipt={receipt} />;
  if (customerId === null) return null;
  return (
    <section class="part">
      <h2>{texts.title}</h2>
      <p class="hint">{texts.hint}</p>
      {failed === undefined || asking ? null : <ErrorNotice error={failed} />}
      <div>
        <Button busy={busy} onClick={() => save('json')}>
          {texts.download}
        </Button>
        <Button busy={busy} onClick={() => save('html')}>
          {texts.page}
        </Button>
        <Button kind="danger" onClick={() => setAsking(true)}>
          {texts.erase}
        </Button>
      </div>
      {asking ? (
        <AskSheet
          title={texts.ask}
          hint={texts.askHint}
          yes={texts.erase}
          no={texts.keep}
          {...{ busy, failed }}
          onYes={erase}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </section>
  );
}
