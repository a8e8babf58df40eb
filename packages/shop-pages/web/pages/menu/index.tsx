import { Page } from '../../shell/page.tsx';
import { useTexts } from '../../texts/use-texts.tsx';

export default function MenuPage({ code }: { readonly code: string }) {
  const texts = useTexts().menu;
  return (
    <Page title={texts.title} code={code}>
      {null}
    </Page>
  );
}
