import { Page } from '../../shell/page.tsx';
import { useTexts } from '../../texts/use-texts.tsx';

export default function CardPage({ code }: { readonly code: string }) {
  const texts = useTexts().card;
  return (
    <Page title={texts.title} code={code}>
      {null}
    </Page>
  );
}
