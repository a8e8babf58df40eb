import { useEffect, useRef, useState } from 'react';
import { usePage, useStore } from '../../../shell/context.ts';
import { useRead } from '../../../shell/queries.ts';
import { useZone } from '../operations.ts';
import { menuPath } from './sale-operations.ts';
import { nothingScanned, scanKey } from './scanner.ts';
import { createSelling, type Selling } from './selling.ts';
import { emptyTill, type Till } from './till.ts';
import { nothingWaits, type Waiting } from './waiting.ts';

const tryEveryMs = 5_000;
const readMenuEveryMs = 60_000;

export function useSelling() {
  const { id: storeId } = useStore();
  const by = usePage().me.subject;
  const zone = useZone();
  const menu = useRead(menuPath(storeId), { readAgainFor: { types: ['store.', 'menu.'], subjects: [storeId] }, every: readMenuEveryMs });
  const [till, showTill] = useState<Till>(emptyTill);
  const [waiting, showWaiting] = useState<Waiting>(nothingWaits);
  const latest = useRef({ currency: 'GBP', zone });
  latest.current = { currency: menu.data?.store.currency ?? latest.current.currency, zone };
  const [selling] = useState<Selling>(() =>
    createSelling({ storeId, by, showTill, showWaiting, currency: () => latest.current.currency, zone: () => latest.current.zone }),
  );
  useEffect(() => {
    selling.takeUp();
    const again = () => selling.tryAgain();
    const timer = setInterval(() => selling.isWaiting() && again(), tryEveryMs);
    addEventListener('online', again);
    return () => {
      clearInterval(timer);
      removeEventListener('online', again);
    };
  }, [selling]);
  const items = menu.data?.items;
  useEffect(() => {
    if (items) selling.till({ type: 'menu', items });
  }, [selling, items]);
  useScanner((text) => selling.till({ type: 'customer', text }));
  return { till, waiting, selling, menu, zone };
}

function useScanner(onScan: (text: string) => void): void {
  const latest = useRef(onScan);
  latest.current = onScan;
  useEffect(() => {
    let before = nothingScanned;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
      if (event.target instanceof Element && event.target.matches('input, textarea, select')) return;
      const [now, text] = scanKey(before, event.key, event.timeStamp);
      before = now;
      if (text === null) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current(text);
    };
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  }, []);
}
