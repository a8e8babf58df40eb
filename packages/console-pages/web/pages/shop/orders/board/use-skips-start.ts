import { useState } from 'react';
import { isKeptOn, keepOn } from '../../../../components/index.ts';

const name = 'board-skips-start';

/** Whether orders of this board go from accepted to ready with one press, which this device keeps. */
export function useSkipsStart() {
  const [skips, set] = useState(() => isKeptOn(name));
  const turn = (on: boolean) => {
    keepOn(name, on);
    set(on);
  };
  return [skips, turn] as const;
}
