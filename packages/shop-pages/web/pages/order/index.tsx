import { Page } from '../../shell/page.tsx';
import { lastStoreCode } from '../../shell/use-store.ts';
import { useTexts } from '../../texts/use-texts.tsx';

export default function OrderPage(_: { readonly id: string }) {
  const texts = useTexts().order;
  return (
    <Page title={texts.title} code={lastStoreCode()}>
      {null}
    </Page>
  );
}
