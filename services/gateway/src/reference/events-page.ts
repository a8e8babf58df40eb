import { dataSchemaOf, type EventContract, events, type Producer, subjectOf } from '@corner/contracts';
import { type Html, html, page } from './page.ts';

/** Returns the page of all events: subject, summary and fields. `schemas` holds the schemas of their data, by `dataschema`. */
export function eventsPage(schemas: Readonly<Record<string, Schema>>): string {
  const groups = [...Map.groupBy(events, ({ type }) => type.split('.', 1)[0] ?? '')];
  return page(
    'Events',
    html`<main>
<h1>Events</h1>
<p>Events are CloudEvents 1.0 in JSON on NATS JetStream. The description for programs is <a href="/asyncapi.json">/asyncapi.json</a>. Delivery is at least once and in order for each subject of the envelope: recognise repeats by the envelope’s <code>id</code>.</p>
${groups.map(([noun, group]) => html`<h2>${noun}</h2>\n${group.map((event) => entry(event, schemas[dataSchemaOf(event)] ?? {}))}`)}
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
    ([name, schema]) => [name, typeInWords(schema) + (required.includes(name) ? '' : ', may be absent')] as const,
  );
}

/** Returns a schema's type in a few words. */
function typeInWords(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeInWords).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.items) return `list of ${typeInWords(schema.items)}`;
  return schema.format ? `${schema.type} (${schema.format})` : (schema.type ?? 'anything');
}

/** The part of JSON Schema that the page shows. */
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
