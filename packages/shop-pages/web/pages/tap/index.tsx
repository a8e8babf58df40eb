import { Page } from '../../shell/page.tsx';
import { useTexts } from '../../texts/use-texts.tsx';

export default function TapPage() {
  const texts = useTexts().tap;
  return <Page title={texts.title}>{null}</Page>;
}
