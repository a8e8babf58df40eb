import { Link } from 'wouter';
import { Icon, Page, Section } from '../../../components/index.ts';
import { usePage, useStore } from '../../../shell/context.ts';
import { sectionPath, sectionsOf } from './sections.ts';

/** What can be set at a store, by sections. */
export default function SettingsHome() {
  const store = useStore();
  return (
    <Page title="Settings" about={`What ${store.name} is and offers.`}>
      {sectionsOf(usePage().me).map(([group, entries]) => (
        <Section key={group} title={group}>
          <ul className="section-links">
            {entries.map(({ path, title, about }) => (
              <li key={path}>
                <Link href={sectionPath(store.id, path)}>
                  <span>
                    <b>{title}</b>
                    <span className="quiet">{about}</span>
                  </span>
                  <Icon name="next" />
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </Page>
  );
}
