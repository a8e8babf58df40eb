import { type DragEvent, type HTMLAttributes, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Icon } from '../../../components/index.ts';
import { announce } from '../../../shell/announce.tsx';
import type { Bound } from './bound.ts';

interface Props<E> {
  readonly of: Bound<readonly E[]>;
  readonly nameOf: (entry: E, index: number) => string;
  readonly keyOf?: (entry: E) => string;
  readonly children: (entry: Bound<E>, index: number) => ReactNode;
  readonly add?: { readonly label: string; readonly make: () => E };
  /** Entries are moved by buttons and by dragging, but not while `shows` hides some. */
  readonly ordered?: boolean;
  readonly shows?: ((entry: E) => boolean) | undefined;
  readonly most?: number;
  readonly empty?: ReactNode;
}

export function ListField<E>({ of, nameOf, keyOf, children, add, ordered: isOrdered = false, shows, most = 500, empty }: Props<E>) {
  const ordered = isOrdered && shows === undefined;
  const { value: list, locked, error, set } = of;
  const rows = useRef<HTMLUListElement>(null);
  const move = (from: number, to: number) => {
    const entry = list[from] as E;
    set(list.toSpliced(from, 1).toSpliced(to, 0, entry));
    announce(`${nameOf(entry, from)} is number ${to + 1} of ${list.length}.`);
  };
  const remove = (index: number) => {
    set(list.toSpliced(index, 1));
    announce(`${nameOf(list[index] as E, index)} was removed. It is gone when you save.`);
    focusBeside(rows.current, index);
  };
  const focusLast = useFocusOfLast(rows);
  const append = (entry: E) => {
    focusLast();
    set([...list, entry]);
  };
  const drag = useDrag(move);
  return (
    <div className="list-field">
      {list.length === 0 && empty}
      <ul ref={rows}>
        {list.map((entry, index) => {
          if (shows && !shows(entry)) return null;
          const name = nameOf(entry, index);
          return (
            <li key={keyOf?.(entry) ?? index} className="list-row" {...(ordered && !locked ? drag.row(index) : {})}>
              <div className="list-entry">{children(of.entry(index) as unknown as Bound<E>, index)}</div>
              {!locked && (
                <div className="list-buttons">
                  {ordered && <MoveButtons {...{ name, index, move }} isLast={index === list.length - 1} handle={drag.handle(index)} />}
                  <RowButton icon="remove" label={`Remove ${name}`} act={() => remove(index)} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {error && <p className="field-error">{error}</p>}
      {add && !locked && (
        <button type="button" className="list-add" disabled={list.length >= most} onClick={() => append(add.make())}>
          <Icon name="add" />
          {add.label}
        </button>
      )}
    </div>
  );
}

function focusBeside(rows: HTMLUListElement | null, index: number): void {
  const [row, all] = [rows?.children[index], rows?.parentElement];
  const beside = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector<HTMLElement>('input');
  (all?.querySelector<HTMLElement>(':scope > .list-add') ?? beside)?.focus();
}

function useFocusOfLast(rows: RefObject<HTMLUListElement | null>): () => void {
  const isWanted = useRef(false);
  useEffect(() => {
    if (isWanted.current) rows.current?.lastElementChild?.querySelector<HTMLElement>('input, select')?.focus();
    isWanted.current = false;
  });
  return () => {
    isWanted.current = true;
  };
}

interface MoveButtonsProps {
  readonly name: string;
  readonly index: number;
  readonly isLast: boolean;
  readonly move: (from: number, to: number) => void;
  readonly handle: HTMLAttributes<HTMLElement>;
}

const MoveButtons = ({ name, index, isLast, move, handle }: MoveButtonsProps) => (
  <>
    <RowButton icon="up" label={`Move ${name} up`} disabled={index === 0} act={() => move(index, index - 1)} />
    <RowButton icon="down" label={`Move ${name} down`} disabled={isLast} act={() => move(index, index + 1)} />
    <span className="drag-handle" aria-hidden="true" {...handle}>
      <Icon name="drag" />
    </span>
  </>
);

interface RowButtonProps {
  readonly icon: 'up' | 'down' | 'remove';
  readonly label: string;
  readonly disabled?: boolean;
  readonly act: () => void;
}

/** At the end of the list it does nothing but keeps the keyboard's focus, which a disabled button would lose. */
const RowButton = ({ icon, label, disabled = false, act }: RowButtonProps) => (
  <button type="button" className="plain" aria-label={label} title={label} aria-disabled={disabled} onClick={() => disabled || act()}>
    <Icon name={icon} />
  </button>
);

/** A row is dragged by its handle only, so that its texts can be selected. */
function useDrag(move: (from: number, to: number) => void) {
  const [from, setFrom] = useState<number | null>(null);
  return {
    handle: (index: number) => ({ onPointerDown: () => setFrom(index), onPointerUp: () => setFrom(null) }),
    row: (index: number) => ({
      draggable: from === index,
      'data-dragged': from === index ? '' : undefined,
      onDragEnd: () => setFrom(null),
      onDragOver: (event: DragEvent) => from !== null && event.preventDefault(),
      onDrop(event: DragEvent) {
        event.preventDefault();
        if (from !== null && from !== index) move(from, index);
        setFrom(null);
      },
    }),
  };
}
