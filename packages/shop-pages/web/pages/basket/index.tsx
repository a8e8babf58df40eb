import { Page } from '../../shell/page.tsx';
import { useTexts } from '../../texts/use-texts.tsx';

export default function BasketPage({ code }: { readonly code: string }) {
  const texts = useTexts().basket;
  return (
    <Page title={texts.title} code={code}>
      {null}
    </Page>
  );
}
