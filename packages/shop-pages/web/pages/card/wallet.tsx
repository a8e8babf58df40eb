import { useRead } from '../../session/use-read.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Row } from '../../ui/row.tsx';

const everyMs = 5 * 60_000;

/** Shows nothing where the platform has no passes. The links expire, so they are read again before that. */
export function Wallet({ storeId }: { readonly storeId: string }) {
  const { card: texts } = useTexts();
  const { data } = useRead('/api/v1/notifications/wallet/passes', { params: { query: { store_id: storeId } } }, { everyMs });
  const passes = data?.passes.filter((pass) => linksOf(pass).length > 0) ?? [];
  if (passes.length === 0) return null;
  return (
    <section class="part">
      <h2>{texts.wallet}</h2>
      <p class="hint">{texts.walletHint}</p>
      <ul class="rows">
        {passes.map((pass) => {
          const name = pass.kind === 'stamp_card' ? texts.stampCard : (pass.reward_title ?? texts.reward);
          return (
            <Row
              key={pass.serial}
              title={name}
              after={
                <span class="actions">
                  {linksOf(pass).map(({ wallet, url }) => (
                    <a key={wallet} href={url} class="button" rel="noreferrer" aria-label={texts.add(texts[wallet], name)}>
                      {texts[wallet]}
                    </a>
                  ))}
                </span>
              }
            />
          );
        })}
      </ul>
    </section>
  );
}

interface Links {
  readonly apple_url: string | null;
  readonly google_url: string | null;
}

function linksOf({ apple_url, google_url }: Links): readonly { readonly wallet: 'apple' | 'google'; readonly url: string }[] {
  const { userAgent } = navigator;
  const [isApple, isAndroid] = [/iPhone|iPad|Macintosh/.test(userAgent), /Android/.test(userAgent)];
  return [
    ...(apple_url !== null && !isAndroid ? [{ wallet: 'apple', url: apple_url } as const] : []),
    ...(google_url !== null && !isApple ? [{ wallet: 'google', url: google_url } as const] : []),
  ];
}
