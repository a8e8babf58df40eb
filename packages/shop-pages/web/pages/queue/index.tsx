import { Page } from '../../shell/page.tsx';
import { useTexts } from '../../texts/use-texts.tsx';

export default function QueuePage({ code }: { readonly code: string }) {
  const texts = useTexts().queue;
  return (
    <Page title={texts.title} code={code}>
      {null}
    </Page>
  );
}
