import type { components } from '@corner/client';

type Store = components['schemas']['Store'];

export type OpeningState =
  | { readonly open: true; readonly until: string | null }
  /** `from` is null when it does not open within a week. */
  | { readonly open: false; readonly from: string | null };

const dayMs = 86_400_000;

export function openingAt({ openings }: Pick<Store, 'openings'>, now: number): OpeningState {
  const current = openings.find(({ starts_at, ends_at }) => Date.parse(starts_at) <= now && now < Date.parse(ends_at));
  if (current) return { open: true, until: Date.parse(current.ends_at) - now < dayMs ? current.ends_at : null };
  return { open: false, from: openings.find(({ starts_at }) => Date.parse(starts_at) > now)?.starts_at ?? null };
}
