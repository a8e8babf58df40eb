import type { Setting } from '@corner/contracts/settings';
import type { Bound } from './bound.ts';
import { ChoiceField, MoneyField, NumberField, OptionalTextField, SwitchField, TextField } from './form-fields.tsx';
import type { Edited } from './use-object.ts';

interface Props<T, K extends keyof T & string> {
  readonly of: Edited<T>;
  readonly names: readonly K[];
  readonly currency?: string;
}

export const SettingFields = <T extends object, K extends keyof T & string>({ of, names, currency = '' }: Props<T, K>) =>
  names.map((name) => {
    const setting = of.of.settings?.[name];
    return setting && <SettingField key={name} setting={setting} of={of.bind(name) as unknown as Bound<never>} currency={currency} />;
  });

interface FieldProps {
  readonly setting: Setting;
  readonly of: Bound<never>;
  readonly currency: string;
}

function SettingField({ setting: { as, label, hint, unit, most, optional: isOptional, choices = [] }, of, currency }: FieldProps) {
  const optional = isOptional === true;
  const words = { label, hint, of };
  switch (as) {
    case 'switch':
      return <SwitchField {...words} />;
    case 'number':
      return <NumberField {...words} {...(unit === undefined ? {} : { unit })} optional={optional} />;
    case 'money':
      return <MoneyField {...words} currency={currency} optional={optional} />;
    case 'choice':
      return <ChoiceField {...words} options={choices} />;
    case 'lines':
      return <OptionalTextField {...words} rows={2} />;
    case 'text': {
      const input = { autoComplete: 'off', ...(most === undefined ? {} : { maxLength: most }) };
      return optional ? <OptionalTextField {...words} {...input} /> : <TextField {...words} {...input} required />;
    }
    case 'own':
      return null;
    default:
      return as satisfies never;
  }
}
