import type { FieldErrors } from '@corner/page-kit/logic/editing';
import { keyOf } from '@corner/page-kit/logic/merge';

/** A place in a draft, with what its control needs. */
export interface Bound<V> {
  readonly value: V;
  /** Its dotted path in the object, by the keys of entries: `items.flat-white.price_pence`. Empty for the whole object. */
  readonly path: string;
  /** What is wrong with it; null for nothing. */
  readonly error: string | null;
  /** Whether the person may not change it. */
  readonly locked: boolean;
  set(value: V): void;
  /** Says that what was typed is no value, which keeps the draft from being saved; null takes it back. */
  setFault(text: string | null): void;
  /** A field of a value that has fields; undefined in place of none. */
  field<K extends keyof V & string>(name: K): Bound<V[K]>;
  /** An entry of a list, by its index. */
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
    ...{ value, path, locked, set, error: errors[path] ?? null },
    setFault: (text) => setFault(path, text),
    field: (name) =>
      boundTo({
        ...{ value: value?.[name] as never, path: path === '' ? name : `${path}.${name}`, errors, locked, setFault },
        set: (next) => set({ ...value, [name]: next }),
      }),
    entry(index) {
      const list = value as readonly unknown[];
      const step = keyOf(list[index]) ?? String(index);
      return boundTo<never>({
        ...{ value: list[index] as never, path: `${path}.${step}`, errors, locked, setFault },
        set: (next) => set(list.with(index, next) as V),
      });
    },
  };
}
