import { type FormEvent, useEffect, useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { ActionButton, Choice, Icon, Page, Section } from '../../components/index.ts';
import { announce } from '../../shell/announce.tsx';
import { usePage } from '../../shell/context.ts';
import { forgetDraft, keepDraft, readDraft } from '../../shell/drafts.ts';
import { useStyle } from '../../shell/use-style.ts';
import openingStyle from '../../styles/opening.css' with { type: 'text' };
import { refusalText } from '../shop/refusal-text.ts';
import {
  type Bound,
  boundTo,
  ChoiceField,
  currencyOptions,
  fieldErrorsOf,
  languages,
  NumberField,
  SwitchField,
  sectionPath,
  TextField,
  TimeField,
  zoneOptions,
} from '../shop/settings/index.ts';
import { MenuPreview, MenuQuestions } from './menu-preview.tsx';
import { openShop, type Step, steps } from './open-shop.ts';
import { currencyOf, emptyForm, entriesFor, faultsOf, type OpeningForm, titleOf } from './opening.ts';

const draftName = '/open';

export default function OpenPage() {
  useStyle(openingStyle);
  const { form, of, change, isBusy, step, failure, submit } = useOpening();
  return (
    <Page title="Open a shop" about="A name and a menu are enough. Everything can be changed later, in the settings.">
      <form className="opening" noValidate onSubmit={submit}>
        <div>
          <TheShop {...{ form, of, change }} />
          <Section title="2. The menu">
            <div className="card form-card">
              <TextField
                label="Items and prices"
                hint={`Paste or type a line for each item, with its price in ${form.currency}, below headings if you have parts.`}
                of={of.field('menu')}
                rows={8}
                placeholder={'Flat white 3.20\nCroissant 2.80'}
              />
              <MenuQuestions form={form} setMenu={(menu) => change({ menu })} />
            </div>
          </Section>
          <Section title="3. Hours">
            <div className="card form-card">
              <Times label="Monday to Friday" of={of.field('weekdays')} />
              <Times label="Saturday and Sunday" of={of.field('weekend')} />
            </div>
          </Section>
          <TheReward {...{ form, of, change }} />
          <Progress step={step} isBusy={isBusy} failure={failure} />
          <ActionButton type="submit" className="primary large" busy={isBusy} aria-busy={isBusy}>
            <Icon name="done" />
            Open the shop
          </ActionButton>
        </div>
        <MenuPreview form={form} />
      </form>
    </Page>
  );
}

type PartProps = Pick<ReturnType<typeof useOpening>, 'form' | 'of' | 'change'>;

const TheShop = ({ form, of, change }: PartProps) => (
  <Section title="1. The shop">
    <div className="card form-card">
      <TextField label="Name" of={of.field('name')} maxLength={120} autoComplete="organization" required />
      <details>
        <summary>
          {form.time_zone.replaceAll('_', ' ')}, {form.currency}, {languages.find(([code]) => code === form.language)?.[1]}
        </summary>
        <ChoiceField
          label="Time zone"
          of={{ ...of.field('time_zone'), set: (time_zone) => change({ time_zone, currency: currencyOf(time_zone) }) }}
          options={zoneOptions()}
        />
        <ChoiceField label="Currency" of={of.field('currency')} options={currencyOptions()} />
        <ChoiceField label="Language of messages" of={of.field('language')} options={languages} />
      </details>
    </div>
  </Section>
);

function TheReward({ form, of, change }: PartProps) {
  const items = entriesFor(form);
  return (
    <Section title="4. The reward">
      <div className="card form-card">
        <Choice
          label="A full card earns"
          value={form.reward || items[0]?.id || ''}
          options={[...items.map(({ id, name }) => [id, titleOf(name, form.language)] as const), ['none', 'No stamp card']]}
          onChoose={(reward) => change({ reward })}
        />
        {form.reward !== 'none' && (
          <NumberField label="Stamps of a full card" unit="stamps, one for each order" of={of.field('goal') as Bound<number | null>} />
        )}
      </div>
    </Section>
  );
}

function Times({ of, label }: { readonly of: Bound<OpeningForm['weekdays']>; readonly label: string }) {
  return (
    <fieldset className="times">
      <legend className="unseen">{label}</legend>
      <SwitchField label={label} of={of.field('open')} />
      {of.value.open && (
        <div className="form-row">
          <TimeField label="From" of={of.field('opens')} />
          <TimeField label="Until" of={of.field('closes')} />
        </div>
      )}
      {of.error && <p className="field-error">{of.error}</p>}
    </fieldset>
  );
}

interface ProgressProps {
  readonly step: Step | null;
  readonly isBusy: boolean;
  readonly failure: unknown;
}

function Progress({ step, isBusy, failure }: ProgressProps) {
  if (step === null) return null;
  const reached = steps.indexOf(step);
  return (
    <div className="opening-steps" role="status">
      <ol>
        {steps.map((each, index) => (
          <li key={each} className={index > reached ? 'quiet' : ''}>
            {index < reached && <Icon name="done" />}
            {index === reached && !isBusy && <Icon name="warning" />}
            {each}
            {index === reached && isBusy && '…'}
          </li>
        ))}
      </ol>
      {failure !== undefined && (
        <p className="field-error">{refusalText(failure, step)} Press the button again: what is done is not done twice.</p>
      )}
    </div>
  );
}

function useOpening() {
  const { subject } = usePage().me;
  const [form, setForm] = useState(() => readDraft<OpeningForm>(subject, draftName) ?? newForm());
  const [tried, setTried] = useState(false);
  const [step, setStep] = useState<Step | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const focus = useRef(false);
  const isTouched = form.name !== '' || form.menu !== '';
  useEffect(() => {
    if (isTouched) keepDraft(subject, draftName, form);
  }, [form, isTouched, subject]);

  const faults = faultsOf(form);
  const errors = { ...(tried ? faults : {}), ...fieldErrorsOf(failure, form) };
  useEffect(() => {
    if (focus.current) document.querySelector<HTMLElement>('.opening [aria-invalid="true"]')?.focus();
    focus.current = false;
  });

  const open = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const storeId = await openShop(subject, form, setStep);
      forgetDraft(subject, draftName);
      announce(`${form.name.trim()} is open.`);
      navigate(sectionPath(storeId, 'payments'), { replace: true });
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    focus.current = Object.keys(faults).length > 0;
    if (!isBusy && Object.keys(faults).length === 0) void open();
  };
  const change = (changes: Partial<OpeningForm>) => setForm((before) => ({ ...before, ...changes }));
  const of = boundTo<OpeningForm>({ value: form, path: '', errors, locked: isBusy, set: setForm, setFault: () => {} });
  return { form, of, change, isBusy, step, failure, submit };
}

const newForm = (): OpeningForm =>
  emptyForm(Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language, Intl.supportedValuesOf('timeZone'));
