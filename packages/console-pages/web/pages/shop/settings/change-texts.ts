import { keyOf, type Path, valueAt } from '@corner/page-kit/logic/merge';
import type { ObjectOf } from './directory-objects.ts';

type Of = Pick<ObjectOf<never>, 'labels'> & { readonly say?: ObjectOf<never>['say'] };

export function pathLabel({ labels }: Of, path: Path, object: unknown): string {
  const parts = path.map((step, index) => {
    const before = path.slice(0, index);
    if (!Array.isArray(valueAt(object, before))) return labels[step] ?? humanized(step);
    const entry = valueAt(object, [...before, step]) as { readonly name?: unknown } | undefined;
    return typeof entry?.name === 'string' ? entry.name : /^\d+$/.test(step) ? `number ${Number(step) + 1}` : step;
  });
  return parts.join(', ');
}

function humanized(field: string): string {
  const words = field.replace(/_(pence|bps)$/, '').replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

export function valueText({ say }: Of, path: Path, value: unknown): string {
  const said = say?.(path, value);
  if (said !== undefined) return said;
  if (value === undefined) return 'removed';
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((each) => valueText({ labels: {} }, path, each)).join(', ');
  if (typeof value !== 'object') return String(value);
  const { name } = value as { readonly name?: unknown };
  return typeof name === 'string' ? name : (keyOf(value) ?? 'another value');
}

export interface LoggedChange {
  readonly id: string;
  readonly at: string;
  readonly by: { readonly id: string; readonly name: string | null };
  readonly kind: string;
  readonly version: number;
  readonly fields: readonly { readonly field: string }[];
}

export interface ChangesOfPerson {
  readonly name: string;
  readonly at: string;
  readonly fields: readonly string[];
}

export function changesSince(of: ObjectOf<never>, entries: readonly LoggedChange[], since: number, me: string): readonly ChangesOfPerson[] {
  const newer = entries.filter(({ kind, version, by }) => kind === of.kind && version > since && by.id !== me);
  return [...Map.groupBy(newer, ({ by }) => by.id).values()].map((changes) => ({
    name: changes[0]?.by.name ?? 'Another person',
    at: changes[0]?.at ?? '',
    fields: [...new Set(changes.flatMap(({ fields }) => fields.map(({ field }) => pathLabel(of, field.split('.').slice(0, 1), {}))))],
  }));
}
