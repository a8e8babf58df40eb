import { useState } from 'react';
import { Dialog, Empty, Icon } from '../../../../components/index.ts';
import { copyDay, days, nameOfDay, noteOf, type Opening, usualWeek, withOpening } from '../../../../logic/week.ts';
import { announce } from '../../../../shell/announce.tsx';
import type { Bound } from '../bound.ts';
import { DaysField } from '../form-fields.tsx';

type Hours = Bound<readonly Opening[]>;

export function WeekField({ of }: { readonly of: Hours }) {
  const [copied, setCopied] = useState<number>();
  if (of.value.length === 0)
    return (
      <Empty title="The store is always open.">
        <p>Orders can be placed at any time, day and night.</p>
        <button type="button" className="primary" onClick={() => of.set(usualWeek)}>
          Set hours
        </button>
      </Empty>
    );
  return (
    <div className="card week">
      <ul>
        {days.map((day) => (
          <Day key={day} of={of} day={day} onCopy={() => setCopied(day)} />
        ))}
      </ul>
      {of.error && <p className="field-error">{of.error}</p>}
      {copied !== undefined && <CopyDay of={of} from={copied} onClose={() => setCopied(undefined)} />}
    </div>
  );
}

interface DayProps {
  readonly of: Hours;
  readonly day: number;
  readonly onCopy: () => void;
}

function Day({ of, day, onCopy }: DayProps) {
  const name = nameOfDay(day);
  const openings = of.value.flatMap((opening, index) => (opening.day === day ? [index] : []));
  return (
    <li className="week-day">
      <b id={`day-${day}`}>{name}</b>
      <div className="week-openings">
        {openings.length === 0 && <p className="quiet">Closed</p>}
        {openings.map((index) => (
          <OpeningFields key={index} of={of} index={index} name={name} />
        ))}
      </div>
      <div className="week-buttons">
        <button type="button" className="small" onClick={() => of.set(withOpening(of.value, day))}>
          <Icon name="add" />
          Hours<span className="unseen"> on {name}</span>
        </button>
        <button type="button" className="small" onClick={onCopy}>
          <Icon name="copy" />
          Copy<span className="unseen"> {name} to other days</span>
        </button>
      </div>
    </li>
  );
}

interface OpeningProps {
  readonly of: Hours;
  readonly index: number;
  readonly name: string;
}

function OpeningFields({ of, index, name }: OpeningProps) {
  const opening = of.entry(index);
  const note = noteOf(of.value, index);
  const error = opening.field('opens').error ?? opening.field('closes').error;
  const time = (what: string, field: 'opens' | 'closes') => (
    <input
      type="time"
      required
      aria-label={`${name} ${what}`}
      aria-invalid={error === null ? undefined : true}
      value={opening.value[field]}
      onChange={({ target }) => opening.field(field).set(target.value)}
    />
  );
  return (
    <div className="week-opening">
      {time('from', 'opens')}
      <span aria-hidden="true">–</span>
      {time('until', 'closes')}
      <button
        type="button"
        className="plain"
        aria-label={`Remove ${opening.value.opens} to ${opening.value.closes} on ${name}`}
        onClick={() => of.set(of.value.toSpliced(index, 1))}
      >
        <Icon name="close" />
      </button>
      {note && <span className={note.startsWith('Overlaps') ? 'field-error' : 'quiet'}>{note}</span>}
      {error && <span className="field-error">{error}</span>}
    </div>
  );
}

interface CopyProps {
  readonly of: Hours;
  readonly from: number;
  readonly onClose: () => void;
}

function CopyDay({ of, from, onClose }: CopyProps) {
  const [to, setTo] = useState<readonly number[]>(from <= 5 ? [1, 2, 3, 4, 5] : [6, 7]);
  const copy = () => {
    of.set(copyDay(of.value, from, to));
    announce(`The hours of ${nameOfDay(from)} were copied. They apply when you save.`);
    onClose();
  };
  const chosen = { value: to, set: setTo, error: null, locked: false } as Bound<readonly number[]>;
  return (
    <Dialog title={`Copy the hours of ${nameOfDay(from)}`} onClose={onClose}>
      <DaysField label="To these days, in place of theirs" of={chosen} />
      <div className="suggestions">
        <button type="button" className="small" onClick={() => setTo(days)}>
          Every day
        </button>
        <button type="button" className="small" onClick={() => setTo([1, 2, 3, 4, 5])}>
          Monday to Friday
        </button>
      </div>
      <div className="dialog-buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="primary" onClick={copy}>
          Copy
        </button>
      </div>
    </Dialog>
  );
}
