import type { Store } from './use-store.ts';

type Address = NonNullable<Store['address']>;

/** The British and the Irish write the postcode after the city. */
export const postalLines = ({ lines, postcode, city, country }: Address): readonly string[] => [
  ...lines,
  ...(['GB', 'IE'].includes(country) ? [city, postcode] : [`${postcode} ${city}`]),
];

/**
 * Returns the address of a map of a store: by its position, else by its postal address; null without either. Android opens its own app by
 * `geo:`, which other phones do not know.
 */
export function mapLink({ name, address, position }: Pick<Store, 'name' | 'address' | 'position'>, opensGeo: boolean): string | null {
  const asked = address ? [...postalLines(address), address.country].join(', ') : null;
  if (position) {
    const { latitude, longitude } = position;
    const point = `${latitude},${longitude}`;
    return opensGeo
      ? `geo:${point}?q=${encodeURIComponent(`${point}(${name})`)}`
      : `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=18/${latitude}/${longitude}`;
  }
  if (asked === null) return null;
  return opensGeo
    ? `geo:0,0?q=${encodeURIComponent(asked)}`
    : `https://www.openstreetmap.org/search?${new URLSearchParams({ query: asked })}`;
}
