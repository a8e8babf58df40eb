import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';
import { Icon, Page } from '../../../components/index.ts';
import { usePage, useStore } from '../../../shell/context.ts';
import { useStyle } from '../../../shell/use-style.ts';
import offerStyle from '../../../styles/offer.css' with { type: 'text' };
import { sectionPath, sectionsOf } from './sections.ts';

interface Props {
  readonly title: string;
  readonly about?: ReactNode;
  readonly controls?: ReactNode;
  readonly children: ReactNode;
}

export function SettingsPage({ title, about, controls, children }: Props) {
  useStyle(offerStyle);
  const { id: storeId } = useStore();
  return (
    <div className="settings">
      <SectionNav storeId={storeId} />
      <div className="settings-main">
        <Link className="settings-back" href={sectionPath(storeId, '')}>
          <Icon name="back" />
          Settings
        </Link>
        <Page {...{ title, about, controls }}>{children}</Page>
      </div>
    </div>
  );
}

function SectionNav({ storeId }: { readonly storeId: string }) {
  const open = usePathname();
  return (
    <nav className="nav settings-nav" aria-label="Settings">
      {sectionsOf(usePage().me).map(([group, entries]) => (
        <div key={group}>
          <p className="nav-area">{group}</p>
          <ul>
            {entries.map(({ path, title }) => {
              const href = sectionPath(storeId, path);
              return (
                <li key={path}>
                  <Link href={href} aria-current={open === href ? 'page' : undefined}>
                    {title}
                  </Link>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </nav>
  );
}
