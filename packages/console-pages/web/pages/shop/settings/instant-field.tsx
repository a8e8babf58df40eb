import { instantAt, minuteOf, wallTimeAt } from '@corner/page-kit/logic/zones';
import type { ReactNode } from 'react';
import { Field } from '../../../components/index.ts';
import type { Bound } from './bound.ts';

interface Props {
  readonly of: Bound<string | null>;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly zone: string;
  readonly required?: boolean;
}

/** Shows the time of the store's `zone`. An empty field is null, or refused when `required`. */
export const InstantField = ({ of: { value, error, locked, set, setFault }, label, hint, zone, required = false }: Props) => {
  const change = (local: string) => {
    const instant = instantOf(local, zone);
    const isMissing = required && instant === null;
    setFault(isMissing ? 'Must be a date and a time.' : null);
    if (!isMissing) set(instant);
  };
  return (
    <Field {...{ label, hint, error }}>
      {(props) => (
        <input
          {...props}
          type="datetime-local"
          {...{ required, readOnly: locked }}
          value={value === null ? '' : localOf(value, zone)}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </Field>
  );
};

function localOf(instant: string, zone: string): string {
  const { date, time } = wallTimeAt(Date.parse(instant), zone);
  return `${date}T${time}`;
}

/** The browser reports an incomplete time as empty. */
function instantOf(local: string, zone: string): string | null {
  const [date = '', time = ''] = local.split('T');
  return time === '' ? null : new Date(instantAt(date, minuteOf(time), zone)).toISOString();
}
