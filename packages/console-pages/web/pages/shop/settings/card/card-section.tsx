import { Notice, Section } from '../../../../components/index.ts';
import { useStore } from '../../../../shell/context.ts';
import { useRead } from '../../../../shell/queries.ts';
import type { Bound } from '../bound.ts';
import type { DirectoryStore } from '../directory-objects.ts';
import { ChoiceField, ColourField, MoneyField, NumberField, OptionalTextField, SwitchField, TextField } from '../form-fields.tsx';
import { type Menu, type MenuItem, menuObject, type Programme, programmeObject } from '../offer-objects.ts';
import { PictureField } from '../picture-field.tsx';
import { SettingsForm } from '../settings-form.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { type Edited, useObject } from '../use-object.ts';
import { useAbout, useStoreObject } from '../use-store-object.ts';
import { CardPreview } from './card-preview.tsx';
import { type Branding, readingFault, rewardOf } from './card-texts.ts';

/** The programme of a store, whose fields are the owner’s. */
export function useProgramme(): Edited<Programme> {
  const { role } = useStore();
  return useObject(programmeObject, () => role !== 'owner');
}

/** The loyalty card: what earns stamps, what they earn, and how the card looks. */
export default function CardSection() {
  const programme = useProgramme();
  const store = useStoreObject();
  const { id } = useStore();
  const items =
    useRead<{ readonly menu: Menu }>(menuObject.path(id), { readAgainFor: { types: ['menu'], subjects: [id] } }).data?.menu.items ?? [];
  return (
    <SettingsPage title="Loyalty card" about={useAbout('What earns stamps, what they earn, and how the card looks.')}>
      <SettingsForm of={[programme, store]}>{() => <Fields {...{ programme, store, items }} />}</SettingsForm>
    </SettingsPage>
  );
}

interface FieldsProps {
  readonly programme: Edited<Programme>;
  readonly store: Edited<DirectoryStore>;
  readonly items: readonly MenuItem[];
}

function Fields({ programme: { bind, state }, store, items }: FieldsProps) {
  if (!state || !store.state) return null;
  const { draft } = state;
  const settings = store.state.draft;
  const number = (field: 'goal' | 'voucher_days' | 'voucher_expiring_days' | 'stamps_per_order' | 'daily_stamp_limit') =>
    bind(field) as Bound<number | null>;
  return (
    <div className="with-preview">
      <CardPreview store={settings} programme={draft} itemName={items.find(({ id }) => id === draft.reward.item_id)?.name} />
      <div>
        <Section title="The card">
          <div className="card form-card">
            <SwitchField label="Customers collect stamps" of={bind('enabled')} />
            <NumberField label="Stamps for a reward" of={number('goal')} />
            <TextField label="The reward, as the card says it" of={bind('reward_title')} maxLength={120} autoComplete="off" />
            <RewardFields of={bind('reward')} items={items} currency={settings.currency} />
            <OptionalTextField
              label="Message when it is earned"
              hint="Empty: the app’s own words."
              of={bind('reward_unlock_message')}
              rows={2}
            />
          </div>
        </Section>
        <Section title="Stamps">
          <div className="card form-card">
            <ChoiceField label="What earns stamps" of={bind('driver')} options={drivers} />
            {draft.driver === 'orders' && (
              <div className="form-row">
                <NumberField label="Stamps of an order" of={number('stamps_per_order')} />
                <MoneyField
                  label="From, without the tip"
                  of={bind('min_spend_pence') as Bound<number | null>}
                  currency={settings.currency}
                />
              </div>
            )}
            <NumberField label="The most of one customer in a day" of={number('daily_stamp_limit')} />
          </div>
        </Section>
        <Section title="Vouchers">
          <div className="card form-card">
            <NumberField label="Can be used for" of={number('voucher_days')} unit="days" />
            <NumberField
              label="Customers are reminded"
              hint="0: never. For vouchers that are earned from now on."
              of={number('voucher_expiring_days')}
              unit="days before the end"
            />
          </div>
        </Section>
        <Section title="Design">
          <Design of={store.bind('branding')} />
        </Section>
        <Section title="At the counter">
          <Counter of={bind('multi_stamp')} enforced={bind('nfc_enforced')} proof={bind('codes_without_proof')} />
        </Section>
      </div>
    </div>
  );
}

const drivers = [
  ['orders', 'Paid orders'],
  ['visits', 'Visits from the queue'],
  ['membership', 'Nothing: it shows a membership'],
] as const;

const rewardKinds = [
  ['item', 'An item of the menu'],
  ['amount', 'An amount off the order'],
  ['percent', 'A share of the order'],
] as const;

interface RewardProps {
  readonly of: Bound<Programme['reward']>;
  readonly items: readonly MenuItem[];
  readonly currency: string;
}

function RewardFields({ of, items, currency }: RewardProps) {
  const { kind, item_id } = of.value;
  const value = of.field('value') as Bound<number | null>;
  const gone = item_id !== null && !items.some(({ id }) => id === item_id);
  const choices = [...(gone ? [[item_id, 'An item that is gone']] : []), ...items.map(({ id, name }) => [id, name])] as [string, string][];
  return (
    <div className="form-row">
      <ChoiceField
        label="What it takes off"
        of={{ ...of.field('kind'), set: (next) => of.set(rewardOf(next, items)) } as Bound<typeof kind>}
        options={items.length > 0 ? rewardKinds : rewardKinds.filter(([each]) => each !== 'item')}
      />
      {kind === 'item' && <ChoiceField label="The item" of={of.field('item_id') as Bound<string>} options={choices} />}
      {kind === 'amount' && <MoneyField key={kind} label="Amount" of={value} currency={currency} />}
      {kind !== 'amount' && (
        <NumberField key={kind} label={kind === 'item' ? 'How many' : 'Share'} of={value} {...(kind === 'percent' ? { unit: '%' } : {})} />
      )}
    </div>
  );
}

const backgrounds = [
  ['color', 'A colour'],
  ['image', 'A picture'],
] as const;

function Design({ of }: { readonly of: Bound<Branding> }) {
  const { background_type } = of.value;
  return (
    <div className="card form-card">
      <PictureField label="Logo" hint="PNG, JPEG or WebP. A large one is made smaller." of={of.field('logo_url')} />
      <div className="form-row">
        <ColourField label="Text and buttons" of={of.field('primary_color')} />
        <ColourField label="Stamps" of={of.field('secondary_color')} />
      </div>
      <ChoiceField label="Background" of={of.field('background_type') as Bound<(typeof backgrounds)[number][0]>} options={backgrounds} />
      {background_type === 'image' ? (
        <PictureField label="Picture of the background" of={of.field('background_image_url')} />
      ) : (
        <ColourField label="Colour of the background" of={of.field('background_color')} />
      )}
      <Notice text={readingFault(of.value)} />
    </div>
  );
}

interface CounterProps {
  readonly of: Bound<Programme['multi_stamp']>;
  readonly enforced: Bound<boolean>;
  readonly proof: Bound<Programme['codes_without_proof']>;
}

const proofs = [
  ['wait', 'Waits until staff approve it'],
  ['count', 'Counts at once'],
] as const;
const withoutTap = [
  ['refuse', 'Not without a tap of the tag'],
  ['accept', 'By the card alone'],
] as const;

function Counter({ of, enforced, proof }: CounterProps) {
  return (
    <div className="card form-card">
      <SwitchField label="Codes only with a proved tap of a tag" of={enforced} />
      <ChoiceField label="A stamp whose code came without a tap" hint="Anyone can send a code from anywhere." of={proof} options={proofs} />
      <SwitchField label="Customers can ask for several stamps at once" of={of.field('enabled')} />
      {of.value.enabled && (
        <>
          <div className="form-row">
            <NumberField label="At most" of={of.field('max_request') as Bound<number | null>} unit="stamps" />
            <NumberField label="Of one customer in a month" of={of.field('monthly_ceiling') as Bound<number | null>} unit="stamps" />
          </div>
          <ChoiceField
            label="Staff confirm with their auth card"
            hint="The number of a card is no secret: who has seen it can send it."
            of={of.field('staff_card_without_tap')}
            options={withoutTap}
          />
        </>
      )}
    </div>
  );
}
