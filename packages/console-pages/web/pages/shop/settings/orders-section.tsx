import { storeSettings } from '@corner/contracts/settings';
import { Section } from '../../../components/index.ts';
import type { Bound } from './bound.ts';
import { ChoiceField } from './form-fields.tsx';
import { itemChoices, useMenuItems } from './offer-objects.ts';
import { PaceField } from './pace-field.tsx';
import { SettingFields } from './setting-fields.tsx';
import { SettingsForm } from './settings-form.tsx';
import { SettingsPage } from './settings-page.tsx';
import { useAbout, useStoreObject } from './use-store-object.ts';

function DepositField({ of }: { readonly of: Bound<string | null> }) {
  const items = useMenuItems();
  const { label, hint } = storeSettings.booking_deposit_item_id;
  const choice = { ...of, value: of.value ?? '', set: (id: string) => of.set(id || null) } as Bound<string>;
  return <ChoiceField {...{ label, hint }} of={choice} options={[['', 'None'], ...itemChoices(items, of.value)]} />;
}

export default function OrdersSection() {
  const edited = useStoreObject();
  return (
    <SettingsPage title="Orders and queue" about={useAbout('How orders are taken, how they end, and what may be refunded.')}>
      <SettingsForm of={[edited]}>
        {() => (
          <>
            <Section title="Taking orders">
              <div className="card form-card">
                <SettingFields
                  of={edited}
                  names={['auto_accept', 'accept_within_minutes', 'uncollected_after_hours', 'delayed_payment_methods']}
                />
                <PaceField of={edited.bind('pace')} />
              </div>
            </Section>
            <Section title="Refunds">
              <div className="card form-card">
                <SettingFields
                  of={edited}
                  names={['refund_window_days', 'staff_refund_limit_pence']}
                  currency={edited.bind('currency').value}
                />
              </div>
            </Section>
            <Section title="Walk-ins">
              <div className="card form-card">
                <SettingFields of={edited} names={['walk_ins_accepted', 'called_hold_minutes']} />
              </div>
            </Section>
            <Section title="Bookings">
              <div className="card form-card">
                <SettingFields of={edited} names={['bookings_accepted', 'booking_notice_minutes', 'no_shows_allowed', 'no_show_months']} />
                <DepositField of={edited.bind('booking_deposit_item_id')} />
              </div>
            </Section>
          </>
        )}
      </SettingsForm>
    </SettingsPage>
  );
}
