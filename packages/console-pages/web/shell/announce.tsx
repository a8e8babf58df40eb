import { createListeners } from '@corner/page-kit/browser/listeners';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { sentence } from '../logic/refusal.ts';

export type Undo = () => Promise<string>;

interface Announcement {
  readonly text: string;
  readonly at: number;
  readonly undo: Undo | undefined;
}

let current: Announcement = { text: '', at: 0, undo: undefined };
const announcements = createListeners();

/**
 * Shows the text for a few seconds and reads it to screen readers. With `undo`, which returns the sentence about the undoing, it stays for
 * ten seconds, with a button.
 */
export function announce(text: string, undo?: Undo): void {
  current = { text, at: performance.now(), undo };
  announcements.notify();
}

const shownMs = 6_000;
const undoMs = 10_000;

export function Announced() {
  const { text, at, undo } = useSyncExternalStore(announcements.add, () => current);
  const [gone, setGone] = useState(0);
  const [held, setHeld] = useState(false);
  const isShown = text !== '' && gone !== at;
  useEffect(() => {
    if (held || !isShown) return;
    const timer = setTimeout(() => setGone(at), undo ? undoMs : shownMs);
    return () => clearTimeout(timer);
  }, [at, held, isShown, undo]);
  const offered = isShown ? undo : undefined;
  const take = useUndo(offered);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while it is looked at
    <div
      className="announced"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p role="status" aria-live="polite" className={isShown ? '' : 'unseen'}>
        {isShown ? text : ''}
      </p>
      {offered && (
        <button type="button" aria-keyshortcuts="Control+Z Meta+Z" onClick={take}>
          Undo <span className="unseen">{text}</span>
          <kbd className="only-desk">Ctrl Z</kbd>
        </button>
      )}
    </div>
  );
}

/** Ctrl-Z calls the returned function as well, except in a field, where it undoes typing. */
function useUndo(undo: Undo | undefined): () => void {
  const running = useRef<Undo>(undefined);
  const take = () => {
    if (!undo || running.current === undo) return;
    running.current = undo;
    void undo().then(
      (done) => announce(done),
      (error: unknown) => announce(`It was not undone. ${error instanceof Error ? sentence(error.message) : ''}`),
    );
  };
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      if (event.target instanceof Element && event.target.matches('input:not([type="checkbox"]), textarea, select')) return;
      latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return take;
}
