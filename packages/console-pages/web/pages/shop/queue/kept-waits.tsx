import { Loaded, Section } from '../../../components/index.ts';
import { instant } from '../../../logic/format.ts';
import { manages } from '../../../logic/roles.ts';
import { useStore } from '../../../shell/context.ts';
import { useRead } from '../../../shell/queries.ts';
import { waitsPath } from '../queue-operations.ts';
import { weekText } from './queue-moves.ts';

export function KeptWaits() {
  const store = useStore();
  return manages(store.role) ? <Weeks storeId={store.id} /> : null;
}

function Weeks({ storeId }: { readonly storeId: string }) {
  const read = useRead(waitsPath(storeId));
  return (
    <Section title="Were the quoted waits kept?">
      <p className="quiet">A wait is kept when a chair is offered five minutes later than quoted at most.</p>
      <Loaded of={read} lines={2}>
        {({ weeks }) =>
          weeks.length === 0 ? (
            <p>No walk-in has joined lately.</p>
          ) : (
            <ul className="kept-waits">
              {weeks.map((week) => (
                <li key={week.week}>
                  <b>Week from {instant(`${week.week}T12:00:00Z`, 'day', 'en-GB', 'UTC')}:</b> {weekText(week)}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
