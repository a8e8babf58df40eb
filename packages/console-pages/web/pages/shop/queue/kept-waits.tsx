import { Loaded, Section } from '../../../components/index.ts';
import { instant } from '../../../logic/format.ts';
import { manages } from '../../../logic/roles.ts';
import { useStore } from '../../../shell/context.ts';
import { useRead } from '../../../shell/queries.ts';
import { readyTimesPath, waitsPath } from '../queue-operations.ts';
import { readyWeekText, weekText } from './queue-moves.ts';

export function KeptWaits() {
  const store = useStore();
  return manages(store.role) ? (
    <>
      <Weeks storeId={store.id} />
      <ReadyWeeks storeId={store.id} />
    </>
  ) : null;
}

function Weeks({ storeId }: { readonly storeId: string }) {
  const read = useRead(waitsPath(storeId));
  return (
    <Section title="Were the quoted waits kept?">
      <p className="quiet">A wait is kept when a chair is offered five minutes later than quoted at most.</p>
      <Loaded of={read} lines={2}>
        {({ weeks }) => (weeks.length === 0 ? <p>No walk-in has joined lately.</p> : <List of={weeks} text={weekText} />)}
      </Loaded>
    </Section>
  );
}

function ReadyWeeks({ storeId }: { readonly storeId: string }) {
  const read = useRead(readyTimesPath(storeId));
  return (
    <Section title="Were the quoted ready times kept?">
      <p className="quiet">From twenty orders to collect on, the next one is quoted when it will be ready.</p>
      <Loaded of={read} lines={2}>
        {({ weeks }) => (weeks.length === 0 ? <p>No order was quoted lately.</p> : <List of={weeks} text={readyWeekText} />)}
      </Loaded>
    </Section>
  );
}

const List = <W extends { readonly week: string }>({ of, text }: { readonly of: readonly W[]; readonly text: (week: W) => string }) => (
  <ul className="kept-waits">
    {of.map((week) => (
      <li key={week.week}>
        <b>Week from {instant(`${week.week}T12:00:00Z`, 'day', 'en-GB', 'UTC')}:</b> {text(week)}
      </li>
    ))}
  </ul>
);
