import { knownWayOut } from '../logic/ways-out.ts';
import { Linked } from './linked.tsx';

export default function WayOut({ code }: { readonly code: string }) {
  const way = knownWayOut(code);
  return way === undefined ? null : (
    <p>
      <Linked text={way} />
    </p>
  );
}
