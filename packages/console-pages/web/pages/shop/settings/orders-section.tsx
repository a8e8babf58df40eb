import { Section } from '../../../components/index.ts';
import { walkInsSetting } from '../queue-operations.ts';
import { MoneyField, NumberField, SwitchField } from './form-fields.tsx';
import { SettingsForm } from './settings-form.tsx';
import { SettingsPage } from './settings-page.tsx';
import { useAbout, useStoreObject } from './use-store-object.ts';

/** How orders are taken, how they end, and what may be refunded; and walk-ins. */
export default function OrdersSection() {
  const edited = useStoreObject();
  const { bind } = edited;
  return (
    <SettingsPage title="Orders and queue" about={useAbout('How orders are taken, how they end, and what may be refunded.')}>
      <SettingsForm of={[edited]}>
        {() => (
          <>
            <Section title="Taking orders">
              <div className="card form-card">
                <SwitchField
                  label="Accept orders at once"
                  hint="Off: a paid order waits until someone accepts it on the board."
                  of={bind('auto_accept')}
                />
                <NumberField
                  label="Accept within"
                  hint="An order to collect that no one accepts in this time, while the store is open, is cancelled and refunded. Empty: it waits."
                  of={bind('accept_within_minutes')}
                  unit="minutes"
                  optional
                />
                <NumberField
                  label="Orders that no one collects end after"
                  hint="Counted from closing; without opening hours, from when the order was ready."
                  of={bind('uncollected_after_hours')}
                  unit="hours"
                />
                <SwitchField
                  label="Offer payments that settle later"
                  hint="Such as a bank debit: the order waits, sometimes for days, until the provider says that it is paid."
                  of={bind('delayed_payment_methods')}
                />
              </div>
            </Section>
            <Section title="Refunds">
              <div className="card form-card">
                <NumberField label="Possible for" hint="Counted from the payment." of={bind('refund_window_days')} unit="days" />
                <MoneyField
                  label="The most that staff refund of one order"
                  hint="Managers and owners refund more. Empty: no limit."
                  of={bind('staff_refund_limit_pence')}
                  currency={bind('currency').value}
                  optional
                />
              </div>
            </Section>
            <Section title="Walk-ins">
              <div className="card form-card">
                <SwitchField label={walkInsSetting} of={bind('walk_ins_accepted')} />
                <NumberField label="A guest who was called keeps the place for" of={bind('called_hold_minutes')} unit="minutes" />
              </div>
            </Section>
          </>
        )}
      </SettingsForm>
    </SettingsPage>
  );
}
