import {
  consumersOf,
  dataSchemaOf,
  describeDeprecation,
  Envelope,
  type EventContract,
  events,
  type Producer,
  producers,
  publicEvents,
  streamOf,
  subjectOf,
} from '@corner/contracts';
import { z } from 'zod';
import { fieldList, fieldsOf, type Schema } from '../document/schema.ts';
import { columns, contents, type Html, html, jsonBlock, prose } from '../html.ts';
import type { SitePage } from '../site.ts';

export const eventsPage = (schemas: () => ReadonlyMap<string, Schema>): SitePage => ({
  path: '/docs/events',
  title: 'Events',
  summary: 'Every event that the services publish: its subject and its fields, how long it is kept, and in which order it arrives.',
  group: 'Corner',
  parts: events.map((event) => ({ anchor: nameOf(event), title: event.type, summary: event.summary })),
  body: () => html`<h1>Events</h1>
${columns(
  intro,
  contents(groups().map(([noun, group]) => [noun, group.map((event) => ({ anchor: nameOf(event), title: event.type }))])),
  html`<h2>The envelope</h2>
${fieldList(fieldsOf(z.toJSONSchema(Envelope) as Schema))}
${groups().map(([noun, group]) => html`<h2>${noun}</h2>\n${group.map((event) => entry(event, schemas().get(dataSchemaOf(event)) ?? {}))}`)}`,
)}`,
});

const intro = html`<p>Events are CloudEvents 1.0 in JSON on NATS JetStream. The description for programs is <a href="/asyncapi.json">/asyncapi.json</a>; <a href="/docs/guide/events">the guide</a> says how to consume them.</p>
<dl class="facts"><dt>Streams</dt><dd>One for each producer: ${producers.map((producer) => html`<code>${streamOf(producer)}</code>`)}</dd>
<dt>Retention</dt><dd>7 days, or longer where the operator has decided so.</dd>
<dt>Delivery</dt><dd>At least once. Recognise repeats by the envelope’s <code>id</code>.</dd>
<dt>Order</dt><dd>By <code>sequence</code> for each <code>subject</code> of the envelope, which is the id of what changed. Nothing is promised between two of them. A redelivered event may arrive after a later one.</dd></dl>`;

const handlersOf = (event: EventContract): string => consumersOf(event).join(', ') || 'no service of Corner; it is for others';

const nameOf = ({ type, version }: EventContract): string => `${type}.v${version}`;
const groups = () => [...Map.groupBy(events, ({ type }) => type.split('.', 1)[0] ?? '')];

function webhookOf(event: EventContract, example: unknown): Html | '' {
  const fields = publicEvents.find((published) => published.event === event)?.data.shape;
  if (!fields) return '';
  const shown = Object.entries((example ?? {}) as Readonly<Record<string, unknown>>).filter(([field]) => field in fields);
  return html`<p><a href="/docs/operations/createWebhook">Webhooks</a> are sent ${Object.keys(fields).map((field) => html` <code>${field}</code>`)}.</p>
${shown.length === 0 ? '' : html`<details><summary>Example of the data of a webhook</summary>${jsonBlock(Object.fromEntries(shown))}</details>`}`;
}

function entry(event: EventContract, schema: Schema): Html {
  const name = nameOf(event);
  const [example] = schema.examples ?? [];
  return html`<section id="${name}">
<h3><a href="#${name}">${event.type}</a> <small>version ${event.version}</small></h3>
<p>${prose(event.summary)}${event.deprecated ? ` ${describeDeprecation(event.deprecated)}` : ''}</p>
<dl class="facts"><dt>Subject</dt><dd>${event.producers.map((producer: Producer) => html`<code>${subjectOf(producer, event, producer === 'directory' ? '{object}' : '{store}')}</code>`)}</dd>
<dt>Handled by</dt><dd>${handlersOf(event)}</dd>
<dt>Schema</dt><dd><a href="${dataSchemaOf(event)}">${dataSchemaOf(event)}</a></dd></dl>
${fieldList(fieldsOf(schema))}
${webhookOf(event, example)}
${example === undefined ? '' : html`<details><summary>Example of the data of ${name}</summary>${jsonBlock(example)}</details>`}
</section>`;
}
