import { useEffect, useState, useSyncExternalStore } from 'react';

let current: { readonly text: string; readonly at: number } = { text: '', at: 0 };
const listeners = new Set<() => void>();

/** Shows a sentence for a few seconds and has screen readers say it: the result of what a person just did. */
export function announce(text: string): void {
  current = { text, at: Date.now() };
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The last sentence announced. */
export const useAnnounced = () => useSyncExternalStore(subscribe, () => current);

const shownMs = 6_000;

/** The last sentence announced, at the foot of the page for a few seconds. */
export function Announced() {
  const { text, at } = useAnnounced();
  const [gone, setGone] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setGone(at), shownMs);
    return () => clearTimeout(timer);
  }, [at]);
  return (
    <div className="announced" role="status" aria-live="polite">
      {text !== '' && gone !== at ? <p>{text}</p> : null}
    </div>
  );
}
