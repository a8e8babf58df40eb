import { Notice, Section } from '../../../../components/index.ts';
import { useStore } from '../../../../shell/context.ts';
import type { Bound } from '../bound.ts';
import type { DirectoryStore } from '../directory-objects.ts';
import { ChoiceField, ColourField, MoneyField, NumberField, SwitchField } from '../form-fields.tsx';
import { itemChoices, type MenuItem, type Programme, programmeObject, useMenuItems } from '../offer-objects.ts';
import { PictureField } from '../picture-field.tsx';
import { SettingFields } from '../setting-fields.tsx';
import { SettingsForm } from '../settings-form.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { type Edited, useObject } from '../use-object.ts';
import { useAbout, useStoreObject } from '../use-store-object.ts';
import { CardPreview } from './card-preview.tsx';
import { type Branding, readingFault, rewardOf } from './card-texts.ts';

export function useProgramme(): Edited<Programme> {
  const { role } = useStore();
  return useObject(programmeObject, () => role !== 'owner');
}

export default function CardSection() {
  const programme = useProgramme();
  const store = useStoreObject();
  const items = useMenuItems();
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

function Fields({ programme, store, items }: FieldsProps) {
  const { bind, state } = programme;
  if (!state || !store.state) return null;
  const { draft } = state;
  const settings = store.state.draft;
  return (
    <div className="with-preview">
      <CardPreview store={settings} programme={draft} itemName={items.find(({ id }) => id === draft.reward.item_id)?.name} />
      <div>
        <Section title="The card">
          <div className="card form-card">
            <SettingFields of={programme} names={['enabled', 'goal', 'reward_title']} />
            <RewardFields of={bind('reward')} items={items} currency={settings.currency} />
            <SettingFields of={programme} names={['reward_unlock_message']} />
          </div>
        </Section>
        <Section title="Stamps">
          <div className="card form-card">
            <SettingFields of={programme} names={['driver']} />
            {draft.driver === 'orders' && (
              <div className="form-row">
                <SettingFields of={programme} names={['stamps_per_order', 'min_spend_pence']} currency={settings.currency} />
              </div>
            )}
            <SettingFields of={programme} names={['daily_stamp_limit']} />
          </div>
        </Section>
        <Section title="Vouchers">
          <div className="card form-card">
            <SettingFields of={programme} names={['voucher_days', 'voucher_expiring_days']} />
          </div>
        </Section>
        <Section title="Design">
          <Design of={store.bind('branding')} />
        </Section>
        <Section title="At the counter">
          <Counter programme={programme} />
        </Section>
      </div>
    </div>
  );
}

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
  return (
    <div className="form-row">
      <ChoiceField
        label="What it takes off"
        of={{ ...of.field('kind'), set: (next) => of.set(rewardOf(next, items)) } as Bound<typeof kind>}
        options={items.length > 0 ? rewardKinds : rewardKinds.filter(([each]) => each !== 'item')}
      />
      {kind === 'item' && <ChoiceField label="The item" of={of.field('item_id') as Bound<string>} options={itemChoices(items, item_id)} />}
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

const withoutTap = [
  ['refuse', 'Not without a tap of the tag'],
  ['accept', 'By the card alone'],
] as const;

function Counter({ programme }: { readonly programme: Edited<Programme> }) {
  const of = programme.bind('multi_stamp');
  return (
    <div className="card form-card">
      <SettingFields of={programme} names={['nfc_enforced', 'codes_without_proof']} />
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
