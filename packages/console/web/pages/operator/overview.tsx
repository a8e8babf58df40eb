import { Page } from '../../components/index.ts';

export default function Overview() {
  return (
    <Page title="Overview" about="What the platform does at the moment.">
      {null}
    </Page>
  );
}
