import { createListeners } from '@corner/page-kit/browser/listeners';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { Dialog } from '../components/dialog.tsx';
import { ActionButton } from '../components/states.tsx';

/** `save` resolves to whether everything is saved. */
export interface Unsaved {
  save(): Promise<boolean>;
  discard(): void;
}

let unsaved: Unsaved | null = null;
let asked: (() => void) | null = null;
const questions = createListeners();

function ask(leave: (() => void) | null): void {
  asked = leave;
  questions.notify();
}

export const leaveBy = (leave: () => void): void => (unsaved === null ? leave() : ask(leave));

export const goTo = (path: string): void => leaveBy(() => navigate(path));

/**
 * Asks before unsaved changes are lost: links ask first, and so does the browser when the tab is closed or loaded again. The browser’s back
 * button leaves at once; the draft is there when the page is opened again.
 */
export function useLeaveGuard(of: Unsaved | null): void {
  const latest = useRef(of);
  latest.current = of;
  const isUnsaved = of !== null;
  useEffect(() => {
    if (!isUnsaved) return;
    const guard: Unsaved = {
      save: async () => (await latest.current?.save()) ?? true,
      discard: () => latest.current?.discard(),
    };
    unsaved = guard;
    const beforeUnload = (event: Event) => {
      if (unsaved === guard) event.preventDefault();
    };
    addEventListener('beforeunload', beforeUnload);
    return () => {
      removeEventListener('beforeunload', beforeUnload);
      if (unsaved === guard) unsaved = null;
    };
  }, [isUnsaved]);
}

export function Leaving() {
  const leave = useSyncExternalStore(questions.add, () => asked);
  const [busy, setBusy] = useState(false);
  if (leave === null) return null;
  const stay = () => ask(null);
  const go = () => {
    unsaved = null;
    ask(null);
    leave();
  };
  const saveFirst = async () => {
    setBusy(true);
    const isSaved = await unsaved?.save();
    setBusy(false);
    if (isSaved === false) stay();
    else go();
  };
  const discard = () => {
    unsaved?.discard();
    go();
  };
  return (
    <Dialog title="Your changes are not saved" onClose={stay} busy={busy}>
      <p>Save them before you leave this page, or discard them.</p>
      <div className="dialog-buttons">
        <button type="button" disabled={busy} onClick={stay}>
          Stay here
        </button>
        <button type="button" disabled={busy} onClick={discard}>
          Discard
        </button>
        <ActionButton className="primary" busy={busy} onClick={() => void saveFirst()}>
          Save and leave
        </ActionButton>
      </div>
    </Dialog>
  );
}
