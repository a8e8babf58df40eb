import { type ReactNode, useId } from 'react';

/** What the control of a field is given: its id, and the id of the hint that describes it. */
export interface FieldProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
}

/** A control with its label, and a hint below it. */
export function Field({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly children: (props: FieldProps) => ReactNode;
}) {
  const [id, hintId] = [useId(), useId()];
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': hint ? hintId : undefined })}
      {hint && (
        <p id={hintId} className="quiet">
          {hint}
        </p>
      )}
    </div>
  );
}

/** The options of a choice: their values and texts. */
export type Options = readonly (readonly [value: string, text: string])[];

/** A field with a few options. */
export const Choice = ({
  label,
  value,
  options,
  onChoose,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: Options;
  readonly onChoose: (value: string) => void;
}) => (
  <Field label={label}>
    {(props) => (
      <select {...props} value={value} onChange={({ target }) => onChoose(target.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);
