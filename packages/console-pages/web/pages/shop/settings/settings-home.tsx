import { Link } from 'wouter';
import { Icon, Page, Section } from '../../../components/index.ts';
import { useStore } from '../../../shell/context.ts';
import { sectionPath, sections } from './sections.ts';

/** What can be set at a store, by sections. */
export default function SettingsHome() {
  const store = useStore();
  return (
    <Page title="Settings" about={`What ${store.name} is and offers.`}>
      {Object.entries(sections).map(([group, entries]) => (
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
