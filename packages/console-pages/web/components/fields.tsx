import { type ReactNode, useId } from 'react';
import { Linked } from './linked.tsx';

export interface FieldProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid'?: true;
}

export function Field({
  label,
  hint,
  error = null,
  children,
}: {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  readonly children: (props: FieldProps) => ReactNode;
}) {
  const [id, hintId, errorId] = [useId(), useId(), useId()];
  const described = [hint ? hintId : '', error ? errorId : ''].filter(Boolean).join(' ') || undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': described, ...(error ? { 'aria-invalid': true } : {}) })}
      {hint && (
        <p id={hintId} className="quiet">
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} className="field-error">
          <Linked text={error} />
        </p>
      )}
    </div>
  );
}

export type Options<V extends string = string> = readonly (readonly [value: V, text: string])[];

export const Choice = <V extends string>({
  label,
  value,
  options,
  onChoose,
}: {
  readonly label: string;
  readonly value: V;
  readonly options: Options<V>;
  readonly onChoose: (value: V) => void;
}) => (
  <Field label={label}>
    {(props) => (
      <select {...props} value={value} onChange={({ target }) => onChoose(target.value as V)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);
