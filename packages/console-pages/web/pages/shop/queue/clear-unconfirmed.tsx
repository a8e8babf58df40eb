import { useState } from 'react';
import { ConfirmWithReason } from '../../../components/index.ts';
import { plural } from '../../../logic/format.ts';
import { announce } from '../../../shell/announce.tsx';
import { useStore } from '../../../shell/context.ts';
import { clearUnconfirmed, type Entry } from '../queue-operations.ts';
import { clearText } from './queue-moves.ts';
import { readQueueAgain } from './use-moves.ts';

export function ClearUnconfirmed({ entries }: { readonly entries: readonly Entry[] }) {
  const { id: storeId } = useStore();
  const [asking, ask] = useState(false);
  const text = clearText(entries);
  if (text === null) return null;
  const act = async () => {
    const { ended } = await clearUnconfirmed(storeId);
    announce(`${plural(ended, 'party', 'parties')} taken off the queue.`);
    await readQueueAgain();
  };
  return (
    <p>
      <button type="button" aria-haspopup="dialog" onClick={() => ask(true)}>
        Clear those not confirmed
      </button>
      {asking && (
        <ConfirmWithReason title="Clear those not confirmed" label="Clear" reason={false} act={act} onClose={() => ask(false)}>
          <p>{text} Confirm those who are here before you clear. For ten minutes each can be brought back.</p>
        </ConfirmWithReason>
      )}
    </p>
  );
}
