import { Empty } from '../../../components/index.ts';
import type { DirectoryStore } from './directory-objects.ts';
import { OptionalTextField } from './form-fields.tsx';
import { ListField } from './list-field.tsx';
import { SettingsForm } from './settings-form.tsx';
import { SettingsPage } from './settings-page.tsx';
import { useAbout, useStoreObject } from './use-store-object.ts';

type Contact = DirectoryStore['contacts'][number];

export default function ContactsSection() {
  const edited = useStoreObject();
  return (
    <SettingsPage title="Contacts" about={useAbout('Who is notified of what needs the store. Each address that is given is used.')}>
      <SettingsForm of={[edited]}>
        {() => (
          <ListField<Contact>
            of={edited.bind('contacts')}
            most={20}
            nameOf={({ name, email }, index) => name ?? email ?? `contact ${index + 1}`}
            add={{ label: 'Add a contact', make: () => ({ name: null, email: null, phone: null, push_devices: [] }) }}
            empty={
              <Empty title="No one is notified.">
                A late order, a full queue or a problem with payouts then shows in the console only.
              </Empty>
            }
          >
            {(contact) => (
              <div className="form-row">
                <OptionalTextField label="Name" of={contact.field('name')} maxLength={120} autoComplete="off" />
                <OptionalTextField label="E-mail" of={contact.field('email')} type="email" autoComplete="off" />
                <OptionalTextField label="Phone" of={contact.field('phone')} type="tel" placeholder="+447700900123" autoComplete="off" />
              </div>
            )}
          </ListField>
        )}
      </SettingsForm>
    </SettingsPage>
  );
}
