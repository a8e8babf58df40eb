import { Link, Redirect } from 'wouter-preact';
import { useRead } from '../../session/use-read.ts';
import { Page } from '../../shell/page.tsx';
import { lastStoreCode } from '../../shell/use-store.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

export default function HomePage() {
  const last = lastStoreCode();
  return last === undefined ? <Shops /> : <Redirect to={`/s/${encodeURIComponent(last)}`} replace />;
}

function Shops() {
  const { shell } = useTexts();
  const { data, error, again } = useRead('/api/v1/orders/stores', { params: { query: { limit: 100 } } });
  return (
    <Page title={shell.shops}>
      {error !== undefined ? <ErrorNotice error={error} again={again} /> : null}
      {data ? (
        <ul class="rows">
          {data.stores.map(({ id, code, name }) => (
            <li key={id} class="row">
              <Link href={`/s/${encodeURIComponent(code)}`} class="row-press">
                <span class="row-title">{name}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton lines={4} />
      )}
    </Page>
  );
}
