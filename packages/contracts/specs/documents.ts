import { dataSchemaOf, events } from '../src/index.ts';
import { asyncapi, dataOf } from './asyncapi.ts';
import { openapi } from './openapi.ts';

/** The text of each generated document, by file name. The committed files must equal it. */
export function documents(): Readonly<Record<string, string>> {
  const schemas = Object.fromEntries(events.map((event) => [dataSchemaOf(event), dataOf(event)]));
  return {
    'openapi.json': text(openapi()),
    'asyncapi.json': text(asyncapi()),
    'event-schemas.json': text(schemas),
  };
}

const text = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;
