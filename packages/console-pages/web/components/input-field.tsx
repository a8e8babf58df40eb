import type { ComponentProps, ReactNode } from 'react';
import { Field } from './fields.tsx';

interface Props extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'id'> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  readonly value: string;
  readonly onType: (text: string) => void;
}

export const InputField = ({ label, hint, error = null, onType, ...input }: Props) => (
  <Field {...{ label, hint, error }}>
    {(props) => <input autoComplete="off" {...input} {...props} onChange={({ target }) => onType(target.value)} />}
  </Field>
);
