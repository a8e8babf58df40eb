import type { AnyOperation } from '@corner/contracts';
import { type CodeSample, codeSamples } from '@corner/contracts/specs/code-samples.ts';
import type { Limit, Parameter, ReferenceOperation } from '../document/openapi-document.ts';
import type { NamedSchemas } from '../document/schema.ts';
import { fieldList, fieldsOf, typeInWords } from '../document/schema.ts';
import { codeBlock, columns, type Html, html, jsonBlock, prose } from '../html.ts';
import type { SitePage } from '../site.ts';
import { tryForm } from './try-form.ts';

export const operationPath = ({ operationId }: { readonly operationId: string }): `/docs/${string}` => `/docs/operations/${operationId}`;

export const operationPage = (operation: ReferenceOperation, { contract, schemas, tokensPath }: Surroundings): SitePage => ({
  path: operationPath(operation),
  title: operation.summary.replace(/\.$/, ''),
  summary: `${operation.operationId} · ${operation.method} ${operation.path}`,
  group: operation.tags[0] ?? '',
  parts: fieldsOf(operation.reply.schema, schemas)
    .filter(({ description }) => description)
    .map(({ path, description }) => ({ anchor: 'response', title: path, summary: description })),
  body: () => html`<h1>${operation.summary.replace(/\.$/, '')}</h1>
<p class="route"><code><b>${operation.method}</b> ${operation.path}</code></p>
${columns(about(operation), tryIt(operation, contract, tokensPath), details(operation, schemas))}`,
});

const about = (
  operation: ReferenceOperation,
): Html => html`${(operation.description ?? '').split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
<dl class="facts"><dt>Name</dt><dd><code>${operation.operationId}</code></dd><dt>Callers</dt><dd>${operation['x-callers'].join(', ')}</dd>${
  operation['x-role'] ? html`<dt>Least role</dt><dd>${operation['x-role']}, at the store of the request</dd>` : html``
}${
  operation['x-partner-scope'] ? html`<dt>Scope of a partner</dt><dd><code>${operation['x-partner-scope']}</code></dd>` : html``
}${limitsOf(operation['x-rate-limits'])}${
  operation['x-extension'] ? html`<dt>Extension</dt><dd>Yes: an addition to the thirty operations of the interface.</dd>` : html``
}</dl>`;

const tryIt = (operation: ReferenceOperation, contract: AnyOperation, tokensPath: string | undefined): Html => html`<h2 id="code">Code</h2>
<div class="samples">${codeSamples(contract).map(sampleOf)}</div>
${tryForm(operation, tokensPath)}`;

const details = (operation: ReferenceOperation, schemas: NamedSchemas): Html => html`${parameterSection(operation.parameters, schemas)}
${operation.body ? html`<h2 id="body">Body</h2>${fieldList(fieldsOf(operation.body.schema, schemas))}` : html``}
<h2 id="response">Response</h2>
${operation.reply.example === undefined ? html`` : jsonBlock(operation.reply.example)}
${fieldList(fieldsOf(operation.reply.schema, schemas))}
<h2 id="problems">Problems</h2>
${operation.problems.map(
  ({ status, code, example }) => html`<details class="problem"><summary><code>${status} ${code}</code></summary>
<p>${prose(example.summary ?? '')} <a href="/docs/errors#${code}">More about ${code}</a></p>
${jsonBlock(example.value)}</details>`,
)}`;

interface Surroundings {
  readonly contract: AnyOperation;
  readonly schemas: NamedSchemas;
  readonly tokensPath: string | undefined;
}

/** The samples share a name, so that the browser shows one at a time. */
const sampleOf = ({ label, source }: CodeSample, index: number): Html =>
  html`<details name="sample" data-language="${label}"${index === 0 ? html` open` : html``}><summary>${label}</summary>${codeBlock(source)}</details>`;

function parameterSection(parameters: readonly Parameter[], schemas: NamedSchemas): Html {
  if (parameters.length === 0) return html``;
  const fields = parameters.map(({ name, required = false, schema, description = '', in: where }) => ({
    path: name,
    type: `${where}, ${typeInWords(schema, schemas)}`,
    required,
    description,
  }));
  return html`<h2 id="parameters">Parameters</h2>${fieldList(fields)}`;
}

const limitsOf = (limits: readonly Limit[] = []): Html =>
  limits.length === 0
    ? html``
    : html`<dt>Limits</dt><dd>${limits.map(({ by, counts, limit, windowSeconds }) => html`<div>${limit} ${counts ?? 'requests'} in ${windowSeconds} seconds for each ${limitedBy[by] ?? by}</div>`)}</dd>`;

const limitedBy: Readonly<Record<string, string>> = {
  principal: 'caller',
  address: 'network address',
  'address+store': 'network address and store',
  'address+client': 'network address and OAuth client',
};
