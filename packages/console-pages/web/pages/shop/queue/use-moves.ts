import { useState } from 'react';
import { announce, type Undo } from '../../../shell/announce.tsx';
import { readAgain } from '../../../shell/queries.ts';
import { type Entry, moveEntry, type QueueReply } from '../queue-operations.ts';
import { refusalText } from '../refusal-text.ts';
import { canReopen, chairFor, doneText, type Move, partyName } from './queue-moves.ts';

export const readQueueAgain = (): Promise<void> => readAgain('/api/v1/queue/');

/** One move at a time. A move that ends an entry can be undone for ten seconds. When the service refuses one, the notice says why. */
export function useMoves(storeId: string) {
  const [busy, setBusy] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const run = async (entryId: string, name: string, act: () => Promise<string>, undo?: Undo) => {
    if (busy) return;
    setBusy(entryId);
    setNotice(null);
    try {
      announce(await act(), undo);
    } catch (error) {
      setNotice(refusalText(error, name));
    } finally {
      await readQueueAgain();
      setBusy(null);
    }
  };
  const broughtBack = async (entryId: string, name: string): Promise<string> => {
    await moveEntry(storeId, entryId, 'reopen');
    await readQueueAgain();
    return `${name} is back.`;
  };
  const move = (entry: Entry, what: Move, chairs: QueueReply['chairs']) => {
    const name = partyName(entry);
    const chair = what === 'assign' ? chairFor(entry, chairs) : null;
    const act = async () => {
      await moveEntry(storeId, entry.entry_id, what, chair?.id);
      return doneText(name, what, chair?.name);
    };
    return run(entry.entry_id, name, act, canReopen(what) ? () => broughtBack(entry.entry_id, name) : undefined);
  };
  const reopen = (entryId: string, name: string) => run(entryId, name, () => broughtBack(entryId, name));
  return { busy, notice, move, reopen };
}
