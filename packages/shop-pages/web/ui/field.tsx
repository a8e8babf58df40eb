import type { ComponentChildren, InputHTMLAttributes, PartialInputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

type InputProps = Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'id' | 'role' | 'type' | 'label'>;

interface FieldProps extends InputProps {
  readonly type?: 'text' | 'email' | 'tel' | 'number' | 'date';
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly after?: ComponentChildren;
}

export function Field({ type = 'text', label, hint, error, after, ...input }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="field-input">
        <input
          {...({ ...input, type } as InputHTMLAttributes<HTMLInputElement>)}
          id={id}
          aria-describedby={described || undefined}
          aria-invalid={error ? true : undefined}
        />
        {after}
      </div>
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p class="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      ) : null}
    </div>
  );
}

interface ChoiceProps extends InputProps {
  readonly type: 'radio' | 'checkbox';
  readonly label: ComponentChildren;
  readonly after?: ComponentChildren;
}

export function Choice({ type, label, after, ...input }: ChoiceProps) {
  return (
    <label class="choice">
      <input {...({ ...input, type } as InputHTMLAttributes<HTMLInputElement>)} />
      <span class="choice-label">{label}</span>
      {after === undefined ? null : <span class="choice-after">{after}</span>}
    </label>
  );
}
