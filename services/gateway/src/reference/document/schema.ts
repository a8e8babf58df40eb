import { type Html, html, prose } from '../html.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

export type NamedSchemas = Readonly<Record<string, Schema>>;

export interface Field {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/**
 * Returns every field that values of a schema may have, with its path (`items[].quantity`). A schema inside itself is not entered again.
 */
export function fieldsOf(schema: Schema, named: NamedSchemas = {}, { prefix = '', inside = [] }: Place = {}): Field[] {
  const object = objectIn(schema, named, inside);
  if (!object) return [];
  const { properties = {}, required = [], additionalProperties } = object.schema;
  const below = (child: Schema, path: string) => fieldsOf(child, named, { prefix: `${path}.`, inside: object.inside });
  const fields = Object.entries(properties).flatMap(([name, child]) => {
    const path = `${prefix}${name}`;
    const own = { path, type: typeInWords(child, named), required: required.includes(name), description: describe(child, named) };
    const list = resolve(withoutNull(child), named).items;
    return [own, ...(list ? below(list, `${path}[]`) : below(child, path))];
  });
  return typeof additionalProperties === 'object' ? [...fields, ...below(additionalProperties, `${prefix}{name}`)] : fields;
}

interface Place {
  readonly prefix?: string;
  readonly inside?: readonly Schema[];
}

function objectIn(schema: Schema, named: NamedSchemas, inside: readonly Schema[]) {
  const found = resolve(withoutNull(schema), named);
  return (found.properties || found.additionalProperties) && !inside.includes(found)
    ? { schema: found, inside: [...inside, found] }
    : undefined;
}

const isNull = ({ type }: Schema): boolean => type === 'null';
const choicesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] | undefined => anyOf ?? oneOf;

function withoutNull(schema: Schema): Schema {
  const choices = choicesOf(schema)?.filter((choice) => !isNull(choice));
  return choices?.length === 1 && choices[0] ? choices[0] : schema;
}

const resolve = (schema: Schema, named: NamedSchemas): Schema =>
  schema.$ref ? (named[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}) : schema;

const describe = (schema: Schema, named: NamedSchemas): string =>
  schema.description ?? resolve(withoutNull(schema), named).description ?? '';

export function typeInWords(schema: Schema, named: NamedSchemas = {}): string {
  const found = resolve(schema, named);
  const choices = choicesOf(found);
  if (choices) return unique(choices.map((choice) => typeInWords(choice, named))).join(' or ');
  if (found.const !== undefined) return JSON.stringify(found.const);
  if (found.enum) return found.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (found.items) return `list of ${typeInWords(found.items, named)}${limits(found.minItems, found.maxItems, ' entries')}`;
  const types = [found.type ?? []].flat().join(' or ') || 'anything';
  const format = found.format ? ` (${found.format})` : '';
  return `${types}${format}${limits(found.minimum, found.maximum)}${limits(found.minLength, found.maxLength, ' characters')}`;
}

const unique = (words: readonly string[]): string[] => [...new Set(words)];

function limits(least: number | undefined, most: number | undefined, unit = ''): string {
  const max = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  const min = least === Number.MIN_SAFE_INTEGER ? undefined : least;
  if (min === undefined && max === undefined) return '';
  if (min === undefined) return `, at most ${max}${unit}`;
  return max === undefined ? `, at least ${min}${unit}` : min === max ? `, ${min}${unit}` : `, ${min} to ${max}${unit}`;
}

export const fieldList = (fields: readonly Field[]): Html =>
  html`<dl class="fields">${fields.map(
    ({ path, type, required, description }) =>
      html`<div><dt><code>${path}</code> <small>${type}${required ? '' : ', optional'}</small></dt>${description ? html`<dd>${prose(description)}</dd>` : html``}</div>`,
  )}</dl>`;
