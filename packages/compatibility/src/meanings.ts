import { access, callsOf, events, problems, rpcsOf, services } from '@corner/contracts';
import { z } from 'zod';
import type { Break } from './breaks.ts';
import { isService, type Part } from './surface.ts';

/** Facts that a version's schemas do not show. */
export interface Meanings {
  /** By a field's place, such as `order.paid/v1 total_pence`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly statuses: Readonly<Record<string, number>>;
  /** A repeat of the request gets a final problem again. */
  readonly final: readonly string[];
}

interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
}

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

/** Returns changed meanings of fields and changed HTTP statuses. A field that is gone is another check's. */
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
