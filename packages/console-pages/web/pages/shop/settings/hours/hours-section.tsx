import { wallTimeAt } from '@corner/page-kit/logic/zones';
import { useState } from 'react';
import { Choice, Empty, Icon, Section } from '../../../../components/index.ts';
import type { Bound } from '../bound.ts';
import { ListField } from '../list-field.tsx';
import { SettingsForm } from '../settings-form.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { useStoreObject } from '../use-store-object.ts';
import { ClosureFields } from './closure-fields.tsx';
import { type Closure, closureOf, closureText, inOrder } from './closures.ts';
import { holidaysFrom } from './holidays.ts';
import { WeekField } from './week-field.tsx';

export default function HoursSection() {
  const edited = useStoreObject();
  const { bind } = edited;
  return (
    <SettingsPage title="Hours and closures" about="When orders can be placed. Slots and shifts follow closures, too.">
      <SettingsForm of={[edited]}>
        {() => (
          <>
            <Section title="Hours of a week">
              <WeekField of={bind('hours')} />
            </Section>
            <Section title="Closed on">
              <Closures of={bind('closures')} zone={bind('time_zone').value} />
            </Section>
          </>
        )}
      </SettingsForm>
    </SettingsPage>
  );
}

interface ClosuresProps {
  readonly of: Bound<readonly Closure[]>;
  readonly zone: string;
}

function Closures({ of, zone }: ClosuresProps) {
  const [opened] = useState(Date.now);
  const today = wallTimeAt(opened, zone).date;
  const add = (closure: Closure) => of.set(inOrder([...of.value, closure]));
  const closed = of.value.map(({ starts_at }) => wallTimeAt(Date.parse(starts_at), zone).date);
  const holidays = holidaysFrom(today, zone).filter(({ date }) => !closed.includes(date));
  const dayOff = (date: string) => closureOf({ from: date, to: date, opens: null }, zone);
  return (
    <>
      <ListField<Closure>
        of={of}
        most={400}
        nameOf={(closure) => closureText(closure, zone)}
        add={{ label: 'Add days', make: () => dayOff(today) }}
        empty={<Empty title="No day is closed.">Add a holiday, or the days of your vacation.</Empty>}
      >
        {(closure) => <ClosureFields of={closure} zone={zone} />}
      </ListField>
      {holidays.length > 0 && (
        <div className="holidays">
          <Choice
            label="Add a public holiday"
            value=""
            options={[
              ['', 'Choose one'],
              ...holidays.map(({ name, date }) => [date, `${name}, ${closureText(dayOff(date), zone)}`] as const),
            ]}
            onChoose={(date) => date && add(dayOff(date))}
          />
          <button type="button" onClick={() => of.set(inOrder([...of.value, ...holidays.map(({ date }) => dayOff(date))]))}>
            <Icon name="add" />
            All of the year ahead
          </button>
        </div>
      )}
    </>
  );
}
