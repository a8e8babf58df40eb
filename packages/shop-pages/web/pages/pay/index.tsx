import { Page } from '../../shell/page.tsx';
import { useTexts } from '../../texts/use-texts.tsx';

export default function PayPage(_: { readonly code: string; readonly attemptId: string }) {
  const texts = useTexts().pay;
  return <Page title={texts.title}>{null}</Page>;
}
