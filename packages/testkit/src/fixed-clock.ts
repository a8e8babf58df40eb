export interface FixedClock {
  readonly now: () => Date;
  advance(by: { readonly days?: number; readonly hours?: number; readonly minutes?: number; readonly seconds?: number }): void;
  set(iso: string): void;
}

export function fixedClock(startIso: string): FixedClock {
  let ms = instantMs(startIso);
  return {
    now: () => new Date(ms),
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }) {
      ms += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
    },
    set(iso) {
      ms = instantMs(iso);
    },
  };
}

function instantMs(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new RangeError(`not an ISO 8601 instant: ${iso}`);
  return ms;
}
