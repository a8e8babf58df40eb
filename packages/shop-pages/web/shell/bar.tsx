import { Link, useLocation } from 'wouter-preact';
import { useRead } from '../session/use-read.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Icon } from './icon.tsx';
import { useStore } from './use-store.ts';

const tenMinutesMs = 600_000;

export function Bar({ code }: { readonly code: string }) {
  const { shell } = useTexts();
  const [at] = useLocation();
  const { store } = useStore(code);
  const { data: queue } = useRead('/api/v1/queue/stores/{store_id}', store ? { params: { path: { store_id: store.id } } } : null, {
    keep: true,
    live: false,
    everyMs: tenMinutesMs,
  });
  const home = `/s/${encodeURIComponent(code)}`;
  const parts = [
    { to: home, icon: 'menu', name: shell.menu },
    { to: `${home}/card`, icon: 'card', name: shell.card },
    ...(queue && queue.services.length > 0 ? [{ to: `${home}/queue`, icon: 'queue', name: shell.queue } as const] : []),
    { to: `${home}/me`, icon: 'me', name: shell.me },
  ] as const;
  return (
    <nav class="bar" aria-label={shell.mainParts}>
      {parts.map(({ to, icon, name }) => (
        <Link key={to} href={to} aria-current={at === to ? 'page' : undefined}>
          <Icon name={icon} />
          <span>{name}</span>
        </Link>
      ))}
    </nav>
  );
}
