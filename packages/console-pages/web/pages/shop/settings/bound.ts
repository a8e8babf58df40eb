import type { FieldErrors } from '@corner/page-kit/logic/editing';
import { keyOf } from '@corner/page-kit/logic/merge';

/**
 * `error` is null for none; `locked` if the person may not change it. `setFault` prevents saving because the typed text is not a value;
 * null takes that back.
 */
export interface Bound<V> {
  readonly value: V;
  /** Dotted, by the keys of entries: `items.flat-white.price_pence`. Empty for the whole object. */
  readonly path: string;
  readonly error: string | null;
  readonly locked: boolean;
  set(value: V): void;
  setFault(text: string | null): void;
  field<K extends keyof V & string>(name: K): Bound<V[K]>;
  entry(index: number): Bound<V extends readonly (infer E)[] ? E : never>;
}

interface Place<V> {
  readonly value: V;
  readonly path: string;
  readonly errors: FieldErrors;
  readonly locked: boolean;
  set(value: V): void;
  setFault(path: string, text: string | null): void;
}

export function boundTo<V>(place: Place<V>): Bound<V> {
  const { value, path, errors, locked, set, setFault } = place;
  return {
    value,
    path,
    locked,
    set,
    error: errors[path] ?? null,
    setFault: (text) => setFault(path, text),
    field: (name) =>
      boundTo({
        value: value?.[name] as never,
        path: path === '' ? name : `${path}.${name}`,
        errors,
        locked,
        setFault,
        set: (next) => set({ ...value, [name]: next }),
      }),
    entry(index) {
      const list = value as readonly unknown[];
      const step = keyOf(list[index]) ?? String(index);
      return boundTo<never>({
        value: list[index] as never,
        path: `${path}.${step}`,
        errors,
        locked,
        setFault,
        set: (next) => set(list.with(index, next) as V),
      });
    },
  };
}
