import { access, callsOf, events, problems, rpcsOf, services } from '@corner/contracts';
import { z } from 'zod';
import type { Break } from './breaks.ts';
import { isService, type Part } from './surface.ts';

/** What a version's schemas do not show: the meaning of the fields of its events and RPCs, and the HTTP status of each problem. */
export interface Meanings {
  /** By a field's place, such as `order.paid/v1 total_pence`: its description in the contract. */
  readonly fields: Readonly<Record<string, string>>;
  readonly statuses: Readonly<Record<string, number>>;
  /** The problems that are final: a repeat gets them again. */
  readonly final: readonly string[];
}

interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
}

/** Returns the meanings of a part's events and RPCs, and of all problems, by the contracts of this checkout. */
export function meaningsOf(part: Part): Meanings {
  const described = (schema: z.ZodType, name: string) =>
    descriptions(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' }) as Described, name);
  return {
    fields: isService(part)
      ? Object.fromEntries([
          ...events
            .filter(({ producers }) => producers.includes(part))
            .flatMap(({ type, version, data }) => described(data, `${type}/v${version}`)),
          ...rpcsOf(part).flatMap(({ name, input, output }) => [
            ...described(input, `${name} input`),
            ...described(output, `${name} output`),
          ]),
        ])
      : {},
    statuses: Object.fromEntries(Object.entries(problems).map(([code, { status }]) => [code, status])),
    final: Object.entries(problems).flatMap(([code, { final }]) => (final ? [code] : [])),
  };
}

function descriptions({ description, properties = {}, items, anyOf = [] }: Described, at: string): (readonly [string, string])[] {
  return [
    ...(description ? [[at, description] as const] : []),
    ...Object.entries(properties).flatMap(([name, field]) => descriptions(field, `${at} ${name}`)),
    ...(items ? descriptions(items, `${at} of each`) : []),
    ...anyOf.flatMap((one) => descriptions(one, at)),
  ];
}

/** Returns what a part moved under its readers: a field's meaning, a problem's HTTP status. A field that is gone is another check's. */
export function meaningsMoved(service: Part, before: Meanings, after: Meanings): readonly Break[] {
  const fields = Object.entries(before.fields).flatMap(([place, meaning]) => {
    const now = after.fields[place];
    if (now === undefined || now === meaning) return [];
    return [`${readersOf(place)} read ${place} of ${service} as “${meaning}”, and it now says “${now}”: a new meaning needs a new field`];
  });
  const statuses = Object.entries(before.statuses).flatMap(([code, status]) =>
    after.statuses[code] === status
      ? []
      : [
          `apps that know ${code} by its status ${status} break with ${service} next: it is ${after.statuses[code] ?? 'gone, or has another name'}`,
        ],
  );
  const kept = after.final
    .filter((code) => code in before.statuses && !before.final.includes(code))
    .map(
      (code) =>
        `apps that repeat what ${service} refused with ${code} under the same Idempotency-Key break with ${service} next: it is final now`,
    );
  return [...fields, ...statuses, ...kept];
}

function readersOf(place: string): string {
  const [name = ''] = place.split(' ');
  const readers = services.filter(
    (service) =>
      access[service].consumes.some(({ type, version }) => `${type}/v${version}` === name) ||
      callsOf(service).some((rpc) => rpc.name === name),
  );
  if (readers.length > 0) return readers.join(', ');
  return name.includes('/v') ? 'subscribers' : 'operators';
}
