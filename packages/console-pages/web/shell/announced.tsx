import { useEffect, useState } from 'react';
import { useAnnounced } from './announce.ts';

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
