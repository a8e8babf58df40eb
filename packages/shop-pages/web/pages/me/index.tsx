import { Page } from '../../shell/page.tsx';
import { useTexts } from '../../texts/use-texts.tsx';

export default function MePage({ code }: { readonly code: string }) {
  const texts = useTexts().me;
  return (
    <Page title={texts.title} code={code}>
      {null}
    </Page>
  );
}
