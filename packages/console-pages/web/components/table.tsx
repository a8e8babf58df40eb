import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** Without `value` a column does not sort. `width` is in CSS, `8rem` or `20%`; when absent, its share of the rest. */
export interface Column<T> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  readonly value?: (row: T) => string | number;
  readonly width?: string;
  readonly numeric?: boolean;
}

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
});
const overscan = 12;

interface TableProps<T> {
  readonly caption: string;
  readonly rows: readonly T[];
  /** Must be the same array on each rendering. */
  readonly columns: readonly Column<T>[];
  readonly rowKey: (row: T) => string;
  readonly rowTone?: (row: T) => 'warn' | 'bad' | undefined;
}

/**
 * Only the visible rows are in the document. `caption` is for screen readers, and `rowTone` colours the edge of a row that needs attention.
 * On a phone each row becomes a card, whose lines have the heading of their column.
 */
export function Table<T>({ caption, rows, columns, rowKey, rowTone }: TableProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const defined = useMemo(() => columns.map(define), [columns]);
  const data = useMemo(() => rows.map((of) => ({ of })), [rows]);
  const table = useTable({ features, columns: defined, data, getRowId: ({ of }) => rowKey(of as T) });
  const sorted = table.getRowModel().rows;
  const { measure, items, before, after } = useRowsInView(body, sorted);
  return (
    <table className="table" aria-rowcount={sorted.length + 1}>
      <caption className="unseen">{caption}</caption>
      <colgroup>
        {columns.map(({ key, width }) => (
          <col key={key} style={width ? { width } : {}} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ key, header, numeric }) => (
            <Heading key={key} column={table.getColumn(key)} header={header} numeric={numeric} />
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        <Gap height={before} columns={columns.length} />
        {items.map(({ index }) => {
          const row = sorted[index];
          if (row === undefined) return null;
          const of = row.original.of as T;
          return (
            <tr key={row.id} ref={measure} data-index={index} aria-rowindex={index + 2} className={rowTone?.(of) ?? ''}>
              <Cells of={of} columns={columns} />
            </tr>
          );
        })}
        <Gap height={after} columns={columns.length} />
      </tbody>
    </table>
  );
}

function useRowsInView(body: { readonly current: HTMLElement | null }, rows: readonly { readonly id: string }[]) {
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 40,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan,
    scrollMargin: useOffset(body),
  });
  const items = virtualizer.getVirtualItems();
  const margin = virtualizer.options.scrollMargin;
  const before = (items[0]?.start ?? margin) - margin;
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin);
  return { measure: virtualizer.measureElement, items, before, after };
}

const Cells = <T,>({ of, columns }: { readonly of: T; readonly columns: readonly Column<T>[] }) =>
  columns.map(({ key, header, cell, numeric }) => (
    <td key={key} data-label={header} className={numeric ? 'numeric' : ''}>
      <div>{cell(of)}</div>
    </td>
  ));

interface Held {
  readonly of: unknown;
}

const helper = createColumnHelper<typeof features, Held>();
const define = <T,>({ key, value }: Column<T>) =>
  helper.accessor(({ of }): unknown => value?.(of as T) ?? '', { id: key, enableSorting: value !== undefined, sortFn: 'basic' });

interface Sortable {
  getIsSorted(): false | 'asc' | 'desc';
  getCanSort(): boolean;
  toggleSorting(): void;
}

function Heading({
  column,
  header,
  numeric,
}: {
  readonly column: Sortable | undefined;
  readonly header: string;
  readonly numeric: boolean | undefined;
}) {
  const order = column?.getIsSorted() ?? false;
  const sort = order === false ? undefined : order === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" className={numeric ? 'numeric' : ''} aria-sort={sort}>
      {column?.getCanSort() ? (
        <button type="button" className="sort" onClick={() => column.toggleSorting()}>
          {header}
          <span aria-hidden="true">{order === 'asc' ? ' ↑' : order === 'desc' ? ' ↓' : ''}</span>
        </button>
      ) : (
        header
      )}
    </th>
  );
}

const Gap = ({ height, columns }: { readonly height: number; readonly columns: number }) =>
  height <= 0 ? null : (
    <tr className="gap">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );

function useOffset(element: { readonly current: HTMLElement | null }): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const now = element.current ? Math.round(element.current.getBoundingClientRect().top + scrollY) : 0;
    if (now !== offset) setOffset(now);
  });
  return offset;
}
