import { useState } from 'react';
import { Badge, ConfirmWithReason, Loaded } from '../../../components/index.ts';
import { dayText } from '../../../logic/format.ts';
import { pathTo, type Reply } from '../../../logic/platform.ts';
import { manages } from '../../../logic/roles.ts';
import { nameOfDay } from '../../../logic/week.ts';
import { announce } from '../../../shell/announce.tsx';
import { useStore } from '../../../shell/context.ts';
import { useRead } from '../../../shell/queries.ts';
import type { Floor } from '../settings/index.ts';
import { endWeeklyClass, keptText, type WeeklyClass, weeklyClasses } from './appointment-operations.ts';
import { lackingTexts } from './appointment-steps.ts';
import { WeeklyClassDialog } from './weekly-class-dialog.tsx';

interface Props {
  readonly storeId: string;
  readonly chairs: Floor['units'];
  readonly services: Floor['services'];
}

type Doing = { readonly what: 'add' | 'change' | 'end'; readonly weekly?: WeeklyClass };

/** Staff see the weekly classes; managers and owners change them. */
export function WeeklyClasses({ storeId, chairs, services }: Props) {
  const read = useRead<Reply<`GET ${typeof weeklyClasses}`>>(pathTo(weeklyClasses, { store_id: storeId }), {
    readAgainFor: { types: ['session.', 'floor'], subjects: [storeId] },
    every: 60_000,
  });
  const isManager = manages(useStore().role);
  const [doing, set] = useState<Doing | null>(null);
  const close = () => set(null);
  return (
    <section className="section" aria-label="Weekly classes">
      <div className="section-head">
        <h2>Weekly classes</h2>
        {isManager && (
          <button type="button" aria-haspopup="dialog" onClick={() => set({ what: 'add' })}>
            Add a weekly class
          </button>
        )}
      </div>
      <Loaded of={read}>
        {({ weekly_classes }) =>
          weekly_classes.length === 0 ? (
            <p className="quiet">None. A weekly class is in the diary by itself, two weeks ahead.</p>
          ) : (
            <ul className="cards">
              {weekly_classes.map((weekly) => (
                <Card key={weekly.weekly_class_id} {...{ weekly }} act={isManager ? (what) => set({ what, weekly }) : null} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {(doing?.what === 'add' || doing?.what === 'change') && (
        <WeeklyClassDialog {...{ storeId, chairs, services }} weekly={doing.weekly} onClose={close} />
      )}
      {doing?.what === 'end' && doing.weekly && <EndDialog weekly={doing.weekly} onClose={close} />}
    </section>
  );
}

const weekText = ({ days, from }: Pick<WeeklyClass, 'days' | 'from'>): string => `${days.map(nameOfDay).join(', ')} at ${from}`;

function Card({ weekly, act }: { readonly weekly: WeeklyClass; readonly act: ((what: 'change' | 'end') => void) | null }) {
  const about = <span className="unseen">: {weekText(weekly)}</span>;
  const { from_date, until_date } = weekly;
  return (
    <li className="booking">
      <p className="order-marks">
        <b>{weekText(weekly)}</b>
        <span>{weekly.service_name}</span>
        <Badge>{weekly.places} places</Badge>
      </p>
      <p className="quiet">
        {weekly.unit_id === null ? 'Any chair' : weekly.unit_name}, {weekly.minutes} minutes, from {dayText(from_date, 'date')}
        {until_date !== null && ` until ${dayText(until_date, 'date')}`}
      </p>
      {lackingTexts(weekly.ahead).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {act && (
        <p className="booking-buttons">
          <button type="button" className="small" aria-haspopup="dialog" onClick={() => act('change')}>
            Change{about}
          </button>
          <button type="button" className="small" aria-haspopup="dialog" onClick={() => act('end')}>
            End{about}
          </button>
        </p>
      )}
    </li>
  );
}

function EndDialog({ weekly, onClose }: { readonly weekly: WeeklyClass; onClose(): void }) {
  const act = async (_: string, key: string) => announce(`The weekly class has ended. ${keptText(await endWeeklyClass(weekly, key))}`);
  return (
    <ConfirmWithReason title={`End the weekly class: ${weekText(weekly)}`} label="End it" danger reason={false} act={act} onClose={onClose}>
      <p>Classes that someone has booked stay in the diary; the others ahead are cancelled, and no more are made.</p>
    </ConfirmWithReason>
  );
}
