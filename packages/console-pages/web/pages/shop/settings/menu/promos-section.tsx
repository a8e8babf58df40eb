import { Empty } from '../../../../components/index.ts';
import { money } from '../../../../logic/format.ts';
import type { Bound } from '../bound.ts';
import { ChoiceField, MoneyField, NumberField, OptionalTextField, SwitchField, TextField } from '../form-fields.tsx';
import { InstantField } from '../instant-field.tsx';
import { ListField } from '../list-field.tsx';
import { menuObject, type Promo, useSavedStore } from '../offer-objects.ts';
import { SettingsForm } from '../settings-form.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { useObject } from '../use-object.ts';

const promosObject = { ...menuObject, title: 'Promo codes' };

export default function PromosSection() {
  const edited = useObject(promosObject);
  const store = useSavedStore();
  return (
    <SettingsPage title="Promo codes" about="What customers type to pay less.">
      <SettingsForm of={[edited]}>
        {() =>
          store && (
            <ListField<Promo>
              of={edited.bind('promos')}
              most={200}
              keyOf={({ id }) => id}
              nameOf={({ code }, index) => code || `code ${index + 1}`}
              add={{ label: 'Add a code', make: newPromo }}
              empty={<Empty title="No promo code yet." />}
            >
              {(promo) => <PromoFields of={promo} currency={store.currency} zone={store.time_zone} />}
            </ListField>
          )
        }
      </SettingsForm>
    </SettingsPage>
  );
}

const newPromo = (): Promo => ({
  id: crypto.randomUUID(),
  code: '',
  label: null,
  kind: 'percent',
  value: 10,
  min_subtotal_pence: 0,
  starts_at: null,
  ends_at: null,
  max_uses: null,
  max_per_customer: 1,
  first_order_only: false,
  active: true,
});

const kinds = [
  ['percent', 'A share of the order'],
  ['amount', 'An amount'],
] as const;

interface Props {
  readonly of: Bound<Promo>;
  readonly currency: string;
  readonly zone: string;
}

function PromoFields({ of, currency, zone }: Props) {
  const { kind, code } = of.value;
  const value = of.field('value') as Bound<number | null>;
  const setKind = (next: Promo['kind']) => of.set({ ...of.value, kind: next, value: next === 'percent' ? 10 : 100 });
  return (
    <>
      <div className="form-row">
        <TextField label="Code" of={of.field('code')} maxLength={64} required autoComplete="off" />
        <ChoiceField label="Takes off" of={{ ...of.field('kind'), set: setKind } as Bound<Promo['kind']>} options={kinds} />
        {kind === 'percent' ? (
          <NumberField key={kind} label="Share" of={value} unit="%" />
        ) : (
          <MoneyField key={kind} label="Amount" of={value} currency={currency} />
        )}
      </div>
      <SwitchField label="Can be used" of={of.field('active')} />
      <details>
        <summary>
          {promoFacts(of.value, currency)}
          <span className="unseen">: more of {code}</span>
        </summary>
        <div className="form-row">
          <OptionalTextField label="On the receipt" hint="Empty: the code itself." of={of.field('label')} autoComplete="off" />
          <MoneyField label="Least subtotal" of={of.field('min_subtotal_pence') as Bound<number | null>} currency={currency} />
          <NumberField label="Uses in all" hint="Empty: any number." of={of.field('max_uses')} optional />
          <NumberField label="Uses of one customer" hint="Empty: any number." of={of.field('max_per_customer')} optional />
          <InstantField label="From" hint="Empty: at once." of={of.field('starts_at')} zone={zone} />
          <InstantField label="Until" hint="Empty: it does not end." of={of.field('ends_at')} zone={zone} />
        </div>
        <SwitchField label="For a customer’s first order only" of={of.field('first_order_only')} />
      </details>
    </>
  );
}

function promoFacts({ min_subtotal_pence, max_uses, max_per_customer, first_order_only, ends_at }: Promo, currency: string): string {
  return [
    ...(first_order_only ? ['first orders'] : []),
    ...(min_subtotal_pence > 0 ? [`from ${money(min_subtotal_pence, currency)}`] : []),
    max_uses === null ? 'any number of uses' : `${max_uses} uses`,
    ...(max_per_customer === null ? [] : [`${max_per_customer} for each customer`]),
    ...(ends_at === null ? [] : ['ends']),
  ].join(' · ');
}
