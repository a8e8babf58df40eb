import { Field } from '../../../../components/index.ts';
import type { Bound } from '../bound.ts';
import { type ClosedDays, type Closure, closureOf, closureText, daysOf } from './closures.ts';

export function ClosureFields({ of, zone }: { readonly of: Bound<Closure>; readonly zone: string }) {
  const closed = daysOf(of.value, zone);
  const { from, to, opens } = closed;
  const set = (change: Partial<ClosedDays>) => of.set(closureOf({ ...closed, ...change }, zone));
  const date = (label: string, value: string, change: (date: string) => Partial<ClosedDays>) => (
    <Field label={label}>
      {(props) => (
        <input {...props} type="date" required value={value} onChange={({ target }) => target.value && set(change(target.value))} />
      )}
    </Field>
  );
  const time = (label: string, name: 'starts' | 'ends') =>
    opens && (
      <Field label={label}>
        {(props) => (
          <input
            {...props}
            type="time"
            required
            value={opens[name]}
            onChange={({ target }) => target.value && set({ opens: { ...opens, [name]: target.value } })}
          />
        )}
      </Field>
    );
  return (
    <details>
      <summary className="closure-summary">{closureText(of.value, zone)}</summary>
      <div className="form-row closure">
        {date('First day', from, (day) => ({ from: day, to: [day, to].toSorted()[1] ?? to }))}
        {time('From', 'starts')}
        {date('Last day', to, (day) => ({ to: [day, from].toSorted()[1] ?? from }))}
        {time('Until', 'ends')}
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={opens === null}
          onChange={() => set({ opens: opens === null ? { starts: '12:00', ends: '17:00' } : null })}
        />
        Whole days
      </label>
      {of.error && <p className="field-error">{of.error}</p>}
    </details>
  );
}
