import { servicesInOrder } from '../../../logic/figures.ts';

const known: readonly string[] = servicesInOrder;

/** The class of a service's colour; others than the four are grey. */
export const toneOf = (service: string): string => (known.includes(service) ? `series-${known.indexOf(service)}` : 'series-none');

/** A service with the colour that it has in every picture. */
export const ServiceName = ({ name }: { readonly name: string }) => (
  <span className="service-name">
    <span className={`dot ${toneOf(name)}`} />
    {name}
  </span>
);
