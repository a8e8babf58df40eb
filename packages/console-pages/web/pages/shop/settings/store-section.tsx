import { Section } from '../../../components/index.ts';
import { AddressFields, PositionField } from './address-fields.tsx';
import { ChoiceField } from './form-fields.tsx';
import { SettingFields } from './setting-fields.tsx';
import { SettingsForm } from './settings-form.tsx';
import { SettingsPage } from './settings-page.tsx';
import { currencyOptions, languages, zoneOptions } from './store-options.ts';
import { useAbout, useStoreObject } from './use-store-object.ts';

export default function StoreSection() {
  const edited = useStoreObject();
  const { bind } = edited;
  return (
    <SettingsPage title="Store" about={useAbout('What customers see, and what receipts say.')}>
      <SettingsForm of={[edited]}>
        {() => (
          <>
            <Section title="For customers">
              <div className="card form-card">
                <SettingFields of={edited} names={['status', 'name', 'code', 'welcome_message']} />
                <ChoiceField
                  label="Language"
                  hint="Of messages to people whose language is not known, and to the store itself."
                  of={bind('language')}
                  options={languages}
                />
              </div>
            </Section>
            <Section title="Business">
              <div className="card form-card">
                <SettingFields of={edited} names={['legal_name']} />
                <AddressFields of={bind('address')} />
                <PositionField of={bind('position')} />
                <SettingFields of={edited} names={['address_shown', 'phone']} />
                <SettingFields of={edited} names={['vat_number']} />
                <ChoiceField label="Currency" of={bind('currency')} options={currencyOptions()} />
                <ChoiceField label="Time zone" hint="Opening hours and days are in it." of={bind('time_zone')} options={zoneOptions()} />
              </div>
            </Section>
          </>
        )}
      </SettingsForm>
    </SettingsPage>
  );
}
