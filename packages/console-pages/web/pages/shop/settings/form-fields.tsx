import { isSame } from '@corner/page-kit/logic/merge';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Field, type Options } from '../../../components/index.ts';
import { parsePrice, parseRate, typedAmount } from '../../../logic/amounts.ts';
import { dayNames } from '../../../logic/week.ts';
import type { Bound } from './bound.ts';

interface Labelled {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}
type Of<V> = Labelled & { readonly of: Bound<V> };
type InputProps = Pick<ComponentProps<'input'>, 'type' | 'autoComplete' | 'maxLength' | 'placeholder' | 'inputMode' | 'required'>;

export function TextField({ of, label, hint, rows, ...input }: Of<string> & InputProps & { readonly rows?: number }) {
  const { value, locked, error, set } = of;
  return (
    <Field {...{ label, hint, error }}>
      {(props) => {
        const control = { ...props, value, readOnly: locked, onChange: ({ target }: { target: { value: string } }) => set(target.value) };
        return rows === undefined ? <input {...control} {...input} /> : <textarea {...control} rows={rows} maxLength={input.maxLength} />;
      }}
    </Field>
  );
}

export const OptionalTextField = ({ of, ...rest }: Of<string | null> & InputProps & { readonly rows?: number }) => (
  <TextField {...rest} of={{ ...of, value: of.value ?? '', set: (text: string) => of.set(text === '' ? null : text) } as Bound<string>} />
);

interface NumberProps extends Of<number | null> {
  readonly unit?: string;
  readonly optional?: boolean;
}

export const NumberField = (props: NumberProps) => (
  <TypedField {...props} format={String} parse={wholeNumber} fault="Must be a whole number." inputMode="numeric" />
);

const wholeNumber = (text: string): number | null => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : null);

/** Typed in the major unit of the currency and stored in the minor one. */
export const MoneyField = ({ currency, ...rest }: NumberProps & { readonly currency: string }) => (
  <TypedField
    {...rest}
    unit={currency}
    format={(minor) => typedAmount(minor, currency)}
    parse={(text) => parsePrice(text, currency)}
    fault={`Must be an amount in ${currency}, such as ${typedAmount(350, currency)}.`}
    inputMode="decimal"
  />
);

/** Typed in percent and stored in hundredths of a percent. */
export const RateField = (props: NumberProps) => (
  <TypedField
    {...props}
    unit="%"
    format={(bps) => String(bps / 100)}
    parse={parseRate}
    fault="Must be a percentage, such as 20 or 5.5."
    inputMode="decimal"
  />
);

interface TypedProps<V> extends Of<V | null> {
  readonly unit?: string;
  readonly optional?: boolean;
  readonly format: (value: V) => string;
  /** Null for a text that is no value. */
  readonly parse: (text: string) => V | null;
  readonly fault: string;
  readonly inputMode: 'numeric' | 'decimal' | 'text';
  readonly maxLength?: number;
}

/** A value that is typed as a text; while the text is none, nothing is saved. */
export function TypedField<V>({ of, label, hint, unit, optional = false, format, parse, fault, inputMode, maxLength = 12 }: TypedProps<V>) {
  const { value, locked, error, set, setFault } = of;
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: V | null }>();
  const change = (text: string) => {
    const isNone = optional && text.trim() === '';
    const next = isNone ? null : parse(text);
    const isValue = isNone || next !== null;
    setTyped({ text, value: isValue ? next : value });
    setFault(isValue ? null : fault);
    if (isValue) set(next);
  };
  return (
    <Field {...{ label, hint, error }}>
      {(props) => (
        <span className="with-unit">
          <input
            {...props}
            {...{ inputMode, readOnly: locked }}
            maxLength={maxLength}
            autoComplete="off"
            value={typed && isSame(typed.value, value) ? typed.text : value === null ? '' : format(value)}
            onChange={({ target }) => change(target.value)}
          />
          {unit && <span className="quiet">{unit}</span>}
        </span>
      )}
    </Field>
  );
}

export const TimeField = ({ of: { value, locked, error, set }, label, hint }: Of<string>) => (
  <Field {...{ label, hint, error }}>
    {(props) => <input {...props} type="time" required readOnly={locked} value={value} onChange={({ target }) => set(target.value)} />}
  </Field>
);

type ShortBound<V> = Pick<Bound<V>, 'value' | 'locked' | 'error' | 'set'>;

export const DaysField = ({ of: { value, locked, error, set }, label }: Labelled & { readonly of: ShortBound<readonly number[]> }) => (
  <fieldset className="field days" aria-invalid={error ? true : undefined} disabled={locked}>
    <legend>{label}</legend>
    {dayNames.map((name, index) => {
      const day = index + 1;
      const isOn = value.includes(day);
      const turn = () => set(isOn ? value.filter((other) => other !== day) : [...value, day].toSorted((a, b) => a - b));
      return (
        <label key={name} className="day">
          <input type="checkbox" checked={isOn} onChange={turn} />
          <span aria-hidden="true">{name.slice(0, 2)}</span>
          <span className="unseen">{name}</span>
        </label>
      );
    })}
    {error && <p className="field-error">{error}</p>}
  </fieldset>
);

/** A colour, by the browser’s picker or as a text; null for none. @public */
export const ColourField = ({ of, label, hint }: Of<string | null>) => (
  <Field {...{ label, hint }} error={of.error}>
    {(props) => (
      <span className="with-unit">
        <input
          type="color"
          aria-label={`Pick: ${typeof label === 'string' ? label : 'colour'}`}
          disabled={of.locked}
          value={of.value ?? '#ffffff'}
          onChange={({ target }) => of.set(target.value)}
        />
        <input
          {...props}
          readOnly={of.locked}
          maxLength={7}
          placeholder="none"
          spellCheck={false}
          value={of.value ?? ''}
          onChange={({ target }) => of.set(target.value === '' ? null : target.value)}
        />
      </span>
    )}
  </Field>
);

export const SwitchField = ({ of: { value, locked, error, set }, label, hint }: Of<boolean>) => (
  <div className="field">
    <label className="check">
      <input type="checkbox" role="switch" checked={value} aria-checked={value} disabled={locked} onChange={() => set(!value)} />
      {label}
    </label>
    {hint && <p className="quiet">{hint}</p>}
    {error && <p className="field-error">{error}</p>}
  </div>
);

export const ChoiceField = <V extends string>({ of, label, hint, options }: Of<V> & { readonly options: Options }) => (
  <Field {...{ label, hint }} error={of.error}>
    {(props) => (
      <select {...props} value={of.value} disabled={of.locked} onChange={({ target }) => of.set(target.value as V)}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);
