import { kept, notifyKept, readJson, whenKeptChanges, writeJson } from '@corner/page-kit/browser/storage';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Basket, emptyBasket } from './basket.ts';

const nameOf = (code: string): string => `corner.basket.${code.toUpperCase()}`;

function readBasket(code: string): Basket {
  const value = readJson(kept, nameOf(code)) as Partial<Basket> | undefined;
  return { ...emptyBasket, ...value, lines: Array.isArray(value?.lines) ? value.lines : [] };
}

function writeBasket(code: string, basket: Basket): void {
  writeJson(kept, nameOf(code), basket);
  notifyKept(nameOf(code));
}

export function emptyBasketOf(code: string): void {
  const { table, table_at } = readBasket(code);
  writeBasket(code, { ...emptyBasket, table, table_at });
}

export function useBasket(code: string): readonly [Basket, (change: (basket: Basket) => Basket) => void] {
  const [basket, setBasket] = useState(() => readBasket(code));
  useEffect(() => {
    const read = () => setBasket(readBasket(code));
    read();
    return whenKeptChanges(nameOf(code), read);
  }, [code]);
  const change = useMemo(() => (next: (before: Basket) => Basket) => writeBasket(code, next(readBasket(code))), [code]);
  return [basket, change];
}
