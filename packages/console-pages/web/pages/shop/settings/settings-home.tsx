import { Link } from 'wouter';
import { Icon, Page, Section } from '../../../components/index.ts';
import { usePage, useStore } from '../../../shell/context.ts';
import { type SectionPath, sectionPath, sectionsOf } from './sections.ts';

const abouts: Readonly<Record<string, string>> = {
  store: 'Name, address and phone, VAT number, language, open or closed to customers',
  address: 'Where customers order, with a QR code to print',
  hours: 'The hours of a week, holidays and other days without orders',
  orders: 'Accepting, refunds, orders that no one collects, walk-ins',
  payments: 'Where the money of your orders goes',
  contacts: 'Who is notified of what needs the store',
  webhooks: 'Your own systems, such as bookkeeping, that are sent what happens',
  menu: 'Items, prices, VAT, stock and their order',
  promos: 'Codes that take something off an order',
  slots: 'The times of collection, with a preview of a week',
  floor: 'Services, chairs, shifts and breaks',
  card: 'Stamps, rewards, and how the card looks',
  tags: 'The NFC tags at the counter',
  people: 'Who works here, roles, cards, invitations',
} satisfies Record<SectionPath, string>;

export default function SettingsHome() {
  const store = useStore();
  return (
    <Page title="Settings" about={`What ${store.name} is and offers.`}>
      {sectionsOf(usePage().me).map(([group, entries]) => (
        <Section key={group} title={group}>
          <ul className="section-links">
            {entries.map(({ path, title }) => (
              <li key={path}>
                <Link href={sectionPath(store.id, path)}>
                  <span>
                    <b>{title}</b>
                    <span className="quiet">{abouts[path]}</span>
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
