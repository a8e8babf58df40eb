import { knownWayOut } from '../logic/ways-out.ts';
import { Linked } from './linked.tsx';

/** What to do about a refusal, with links to the pages for it. Nothing for a code that has no advice of its own. */
export default function WayOut({ code }: { readonly code: string }) {
  const way = knownWayOut(code);
  return way === undefined ? null : (
    <p>
      <Linked text={way} />
    </p>
  );
}
