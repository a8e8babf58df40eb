import type { Me } from '@corner/console-api';
import { type FormEvent, useId, useState } from 'react';
import { ActionButton, Failure } from '../../components/index.ts';
import { announce } from '../../shell/announce.tsx';
import { usePage } from '../../shell/context.ts';
import { request } from '../../shell/request.ts';
import { bodyOf, type SandboxControl } from './groups.ts';

export function Control({ control: { name, title, about, fields: described } }: { readonly control: SandboxControl }) {
  const { stores } = usePage().me;
  const fields = described.map((field) => withStores(field, stores));
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => firstChoices(fields));
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const [error, setError] = useState<unknown>();
  const id = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    setDone(null);
    try {
      const result = await request<{ done: string }>(`/api/sandbox/${name}`, { method: 'POST', body: bodyOf(described, values) });
      setDone(result.done);
      announce(result.done);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="card control" onSubmit={(event) => void submit(event)} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} className="card-title">
        {title}
      </h3>
      <p className="quiet">{about}</p>
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          id={`${id}-${field.name}`}
          value={values[field.name] ?? ''}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <ActionButton type="submit" className="primary" busy={busy} aria-busy={busy}>
        {title}
      </ActionButton>
      {done && <p className="quiet">{done}</p>}
      {error !== undefined && <Failure error={error} />}
    </form>
  );
}

type Described = SandboxControl['fields'][number];

interface Shown extends Omit<Described, 'choices'> {
  readonly choices?: readonly (readonly [value: string, name: string])[] | undefined;
}

const withStores = ({ choices, ...field }: Described, stores: Me['stores']): Shown => {
  const own = stores.map(({ id, name }) => [id, name] as const);
  return { ...field, choices: field.kind === 'store' ? (own.length > 0 ? own : undefined) : choices?.map((choice) => [choice, choice]) };
};

const firstChoices = (fields: readonly Shown[]): Record<string, string> =>
  Object.fromEntries(fields.flatMap(({ name, choices, required }) => (required && choices?.[0] ? [[name, choices[0][0]]] : [])));

interface FieldProps {
  readonly field: Shown;
  readonly id: string;
  readonly value: string;
  onChange(value: string): void;
}

const Field = ({ field: { label, kind, choices, required }, id, value, onChange }: FieldProps) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    {choices ? (
      <select id={id} value={value} required={required} onChange={({ target }) => onChange(target.value)}>
        {!required && <option value="">–</option>}
        {choices.map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    ) : (
      <input
        id={id}
        type={kind === 'number' ? 'number' : 'text'}
        value={value}
        required={required}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </div>
);
