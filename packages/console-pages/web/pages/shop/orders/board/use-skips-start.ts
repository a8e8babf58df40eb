import { useState } from 'react';
import { isKeptOn, keepOn } from '../../../../components/index.ts';

const name = 'board-skips-start';

export function useSkipsStart() {
  const [skips, set] = useState(() => isKeptOn(name));
  const turn = (on: boolean) => {
    keepOn(name, on);
    set(on);
  };
  return [skips, turn] as const;
}
