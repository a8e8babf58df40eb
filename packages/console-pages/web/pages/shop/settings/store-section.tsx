import { Section } from '../../../components/index.ts';
import { AddressFields } from './address-fields.tsx';
import { ChoiceField, OptionalTextField, TextField } from './form-fields.tsx';
import { SettingsForm } from './settings-form.tsx';
import { SettingsPage } from './settings-page.tsx';
import { currencyOptions, languages, zoneOptions } from './store-options.ts';
import { useAbout, useStoreObject } from './use-store-object.ts';

/** What the store is: its name, its legal data, its country. */
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
                <ChoiceField label="Open to customers" of={bind('status')} options={statuses} />
                <TextField label="Name" of={bind('name')} maxLength={120} required autoComplete="off" />
                <TextField
                  label="Code"
                  hint="On the counter card and in links. Cards that are printed keep the old one."
                  of={bind('code')}
                  maxLength={32}
                  required
                  autoComplete="off"
                />
                <OptionalTextField label="Welcome message" hint="Shown after a first order." of={bind('welcome_message')} rows={2} />
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
                <OptionalTextField
                  label="Legal name"
                  hint="As it is registered. Printed on receipts, where it is another than the name."
                  of={bind('legal_name')}
                  maxLength={200}
                  autoComplete="organization"
                />
                <AddressFields of={bind('address')} />
                <OptionalTextField
                  label="VAT number"
                  hint="Printed on receipts. Empty for a store that is not registered."
                  of={bind('vat_number')}
                  maxLength={32}
                  autoComplete="off"
                />
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

const statuses = [
  ['live', 'Yes: listed, and takes orders'],
  ['dark', 'No: not listed, and takes no orders'],
] as const;
