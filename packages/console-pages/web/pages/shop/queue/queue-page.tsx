import { useState } from 'react';
import { Empty, Icon, Loaded, Page } from '../../../components/index.ts';
import { plural } from '../../../logic/format.ts';
import { announce } from '../../../shell/announce.tsx';
import { useStore } from '../../../shell/context.ts';
import { readAgain, useRead } from '../../../shell/queries.ts';
import { type Entry, moveEntry, type QueueReply, queuePath, useZone } from '../operations.ts';
import { refusalText } from '../refusal-text.ts';
import { QueueCard } from './queue-card.tsx';
import { type Move, partyName, type QueueColumn, queueByColumn, queueColumns, queueFigures } from './queue-moves.ts';

const titles: Readonly<Record<QueueColumn, string>> = { waiting: 'Waiting', called: 'Called', assigned: 'Assigned' };
/** Expected waits change with time alone, which no event announces. */
const readEveryMs = 15_000;

/** The walk-in queue of a store: who waits, who was called, who has a chair. */
export default function QueuePage() {
  const store = useStore();
  const zone = useZone();
  const path = queuePath(store.id);
  const read = useRead<QueueReply>(path, { readAgainFor: { types: ['queue.'], subjects: [store.id] }, every: readEveryMs });
  const [busy, setBusy] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const move = async (entry: Entry, what: Move) => {
    if (busy) return;
    setBusy(entry.entry_id);
    setNotice(null);
    try {
      await moveEntry(store.id, entry.entry_id, what);
      announce(`${partyName(entry)}: done.`);
    } catch (error) {
      setNotice(refusalText(error, partyName(entry)));
    } finally {
      await readAgain(path);
      setBusy(null);
    }
  };
  return (
    <Page title="Queue" about={read.data ? figuresText(read.data.entries) : store.name}>
      {notice && (
        <div className="notice warn" role="alert">
          <Icon name="warning" />
          <p>{notice}</p>
        </div>
      )}
      <Loaded of={read}>
        {({ entries }) => (
          <div className="board queue-board">
            {queueColumns.map((column) => (
              <Column
                key={column}
                column={column}
                entries={queueByColumn(entries)[column]}
                storeId={store.id}
                zone={zone}
                busy={busy}
                onMove={move}
              />
            ))}
          </div>
        )}
      </Loaded>
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
  readonly entries: readonly Entry[];
  readonly storeId: string;
  readonly zone: string | undefined;
  readonly busy: string | null;
  onMove(entry: Entry, move: Move): Promise<void>;
}

const Column = ({ column, entries, storeId, zone, busy, onMove }: ColumnProps) => (
  <section className="board-column" data-column={column} aria-labelledby={`column-${column}`}>
    <h2 id={`column-${column}`}>
      {titles[column]} <span className="count">{entries.length}</span>
    </h2>
    {entries.length === 0 && <Empty title={`No one is ${column}.`} />}
    <ul className="queue-rows">
      {entries.map((entry) => (
        <li key={entry.entry_id}>
          <QueueCard entry={entry} storeId={storeId} zone={zone} isBusy={busy !== null} onMove={(what) => void onMove(entry, what)} />
        </li>
      ))}
    </ul>
  </section>
);
