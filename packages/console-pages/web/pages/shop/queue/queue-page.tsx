import { useState } from 'react';
import { Link } from 'wouter';
import { ActionButton, ConfirmWithReason, Empty, Loaded, LogList, Notice, Page, Section } from '../../../components/index.ts';
import { useNow } from '../../../components/use-now.ts';
import { plural } from '../../../logic/format.ts';
import { pathOf } from '../../../logic/match-route.ts';
import { useStore } from '../../../shell/context.ts';
import { useRead } from '../../../shell/queries.ts';
import { useZone } from '../operations.ts';
import { type Entry, type QueueReply, queueLogPath, queuePath } from '../queue-operations.ts';
import { ClearUnconfirmed } from './clear-unconfirmed.tsx';
import { KeptWaits } from './kept-waits.tsx';
import { QueueCard } from './queue-card.tsx';
import { canComeBack, type Move, partyName, type QueueColumn, queueByColumn, queueColumns, queueFigures } from './queue-moves.ts';
import { useMoves } from './use-moves.ts';
import { WalkInDialog, WalkInsSwitch } from './walk-ins.tsx';

const titles: Readonly<Record<QueueColumn, string>> = { waiting: 'Waiting', called: 'Called', assigned: 'Assigned' };
/** Expected waits change with time alone, which no event announces. */
const readEveryMs = 15_000;
const lateRows = 50;

export default function QueuePage() {
  const store = useStore();
  const zone = useZone();
  const read = useRead(queuePath(store.id), { readAgainFor: { types: ['queue.'], subjects: [store.id] }, every: readEveryMs });
  const moves = useMoves(store.id);
  const [adding, add] = useState(false);
  const [leaving, leave] = useState<Entry | null>(null);
  const chairs = read.data?.chairs ?? [];
  const move = (entry: Entry, what: Move) => (what === 'convert' ? leave(entry) : void moves.move(entry, what, chairs));
  const controls = (
    <>
      <Link className="button" href={pathOf('/shop/:storeId/log', { storeId: store.id })}>
        Log
      </Link>
      <button type="button" className="primary" aria-haspopup="dialog" onClick={() => add(true)}>
        Add a walk-in
      </button>
    </>
  );
  return (
    <Page title="Queue" about={read.data ? figuresText(read.data.entries) : store.name} controls={controls}>
      <Notice text={moves.notice} />
      <Loaded of={read}>
        {(queue) => (
          <>
            <WalkInsSwitch walkIns={queue.walk_ins} zone={zone} />
            <ClearUnconfirmed entries={queue.entries} />
            <div className="board queue-board">
              {queueColumns.map((column) => (
                <Column key={column} column={column} queue={queue} zone={zone} busy={moves.busy} onMove={move} />
              ))}
            </div>
            <JustEnded zone={zone} busy={moves.busy} onReopen={moves.reopen} />
            <KeptWaits />
            {adding && <WalkInDialog queue={queue} onClose={() => add(false)} />}
          </>
        )}
      </Loaded>
      {leaving && <LeaveDialog entry={leaving} onLeave={() => moves.move(leaving, 'convert', chairs)} onClose={() => leave(null)} />}
    </Page>
  );
}

function figuresText(entries: readonly Entry[]): string {
  const { people, longest } = queueFigures(entries);
  if (people === 0) return 'No one is waiting.';
  return `${plural(people, 'person', 'people')} waiting; ${longest === 0 ? 'a chair is free now' : `the longest wait is about ${longest} min`}.`;
}

interface ColumnProps {
  readonly column: QueueColumn;
  readonly queue: QueueReply;
  readonly zone: string | undefined;
  readonly busy: string | null;
  onMove(entry: Entry, move: Move): void;
}

function Column({ column, queue, zone, busy, onMove }: ColumnProps) {
  const entries = queueByColumn(queue.entries)[column];
  const { chairs, services } = queue;
  return (
    <section className="board-column" data-column={column} aria-labelledby={`column-${column}`}>
      <h2 id={`column-${column}`}>
        {titles[column]} <span className="count">{entries.length}</span>
      </h2>
      {entries.length === 0 && <Empty title={`No one is ${column}.`} />}
      <ul className="queue-rows">
        {entries.map((entry) => (
          <li key={entry.entry_id}>
            <QueueCard {...{ entry, chairs, services, zone }} isBusy={busy !== null} onMove={(what) => onMove(entry, what)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface EndedProps {
  readonly zone: string | undefined;
  readonly busy: string | null;
  onReopen(entryId: string, name: string): Promise<void>;
}

function JustEnded({ zone, busy, onReopen }: EndedProps) {
  const store = useStore();
  const now = useNow();
  const { data } = useRead(queueLogPath(store.id, lateRows), { readAgainFor: { types: ['queue.'], subjects: [store.id] } });
  const ended = canComeBack(data?.entries ?? [], now);
  if (ended.length === 0) return null;
  const rows = ended.map(({ id, at, title, by, entry_id }) => ({
    key: id,
    at,
    title,
    by: by?.name,
    more: (
      <ActionButton className="small" busy={busy !== null} onClick={() => void onReopen(entry_id ?? '', 'The party')}>
        Bring back<span className="unseen">: {title}</span>
      </ActionButton>
    ),
  }));
  return (
    <Section title="Ended in the last ten minutes">
      <LogList rows={rows} zone={zone} empty="" />
    </Section>
  );
}

interface LeaveProps {
  readonly entry: Entry;
  onLeave(): Promise<void>;
  onClose(): void;
}

const LeaveDialog = ({ entry, onLeave, onClose }: LeaveProps) => (
  <ConfirmWithReason
    title={`Take ${partyName(entry)} off the queue`}
    label="Take off the queue"
    reason={false}
    act={onLeave}
    onClose={onClose}
  >
    <p>
      The place ends, and the log says that a booking for later was taken. Corner makes no booking: put it into your diary. This cannot be
      undone.
    </p>
  </ConfirmWithReason>
);
