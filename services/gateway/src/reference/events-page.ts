import { dataSchemaOf, type EventContract, events, type Producer, subjectOf } from '@corner/contracts';
import { type Html, html, page } from './page.ts';

/** Every event anybody tells: its subject, what it says, and the fields it carries. `schemas` are those of the data, by `dataschema`. */
export function eventsPage(schemas: Readonly<Record<string, Schema>>): string {
  const told = [...Map.groupBy(events, ({ type }) => type.split('.', 1)[0] ?? '')];
  return page(
    'Events',
    html`<main>
<h1>Events</h1>
<p>Events are CloudEvents 1.0 in JSON on NATS JetStream. The description for programs is <a href="/asyncapi.json">/asyncapi.json</a>. Delivery is at least once and in order for each subject of the envelope: recognise repeats by its <code>id</code>.</p>
${told.map(([noun, group]) => html`<h2>${noun}</h2>\n${group.map((event) => entry(event, schemas[dataSchemaOf(event)] ?? {}))}`)}
</main>`,
  );
}

function entry(event: EventContract, schema: Schema): Html {
  const name = `${event.type}.v${event.version}`;
  return html`<section id="${name}">
<h3><a href="#${name}">${event.type}</a> <small>version ${event.version}</small></h3>
<p>${event.summary}</p>
<dl><dt>Subject</dt><dd>${event.producers.map((producer: Producer) => html`<code>${subjectOf(producer, event, '{store}')}</code>`)}</dd>
<dt>Schema</dt><dd><a href="${dataSchemaOf(event)}">${dataSchemaOf(event)}</a></dd></dl>
<table><thead><tr><th>Field of data</th><th>Type</th></tr></thead><tbody>
${fieldsOf(schema).map(([field, type]) => html`<tr><td><code>${field}</code></td><td>${type}</td></tr>`)}
</tbody></table>
</section>`;
}

function fieldsOf({ properties = {}, required = [] }: Schema): readonly (readonly [string, string])[] {
  return Object.entries(properties).map(
    ([name, schema]) => [name, words(schema) + (required.includes(name) ? '' : ', may be absent')] as const,
  );
}

/** A schema in a few words. */
function words(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(words).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.items) return `list of ${words(schema.items)}`;
  return schema.format ? `${schema.type} (${schema.format})` : (schema.type ?? 'anything');
}

/** As much of JSON Schema as the page tells. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
