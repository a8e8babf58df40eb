import { type AnyOperation, commonProblems, type ProblemCode, problems, replayProblems, versionProblems } from '@corner/contracts';
import { columns, contents, type Html, html, prose } from '../html.ts';
import type { SitePage } from '../site.ts';
import { operationPath } from './operation-page.ts';

const codes = Object.keys(problems) as ProblemCode[];

export const errorsPage = (contracts: readonly AnyOperation[]): SitePage => ({
  path: '/docs/errors',
  title: 'Errors',
  summary: 'Every error code: what it means, why it happens, and what to do.',
  group: 'Corner',
  parts: codes.map((code) => ({ anchor: code, title: code, summary: `${problems[code].message} ${problems[code].fix}` })),
  body: () => html`<h1>Errors</h1>
${columns(intro, contents(byStatus().map(([status, group]) => [String(status), group.map((code) => ({ anchor: code, title: code }))])), html`${byStatus().map(([status, group]) => html`<h2>${status}</h2>\n${group.map((code) => entry(code, contracts))}`)}`)}`,
});

const intro = html`<p>An error is <code>{"error":{"code","message","requestId"}}</code>. Decide by the code: it never changes its meaning. The message is for people and may name the field. Quote the request id when you ask us.</p>
<p>A success and a final refusal are kept under an Idempotency-Key for 24 hours: a repeat gets them again. After any other response, a repeat runs the operation again.</p>`;

const byStatus = () => [...Map.groupBy(codes, (code) => problems[code].status)].toSorted(([one], [other]) => one - other);

function entry(code: ProblemCode, contracts: readonly AnyOperation[]): Html {
  const { message, cause, fix, final } = problems[code];
  return html`<section id="${code}">
<h3><a href="#${code}">${code}</a></h3>
<p>${prose(message)}</p>
<dl class="facts"><dt>Cause</dt><dd>${prose(cause)}</dd><dt>Fix</dt><dd>${prose(fix)}</dd><dt>Final</dt><dd>${final ? 'Yes: the same request is refused again, whatever happens later.' : 'No: the same request may be accepted later.'}</dd><dt>Returned by</dt><dd>${returnedBy(code, contracts)}</dd></dl>
</section>`;
}

function returnedBy(code: ProblemCode, contracts: readonly AnyOperation[]): Html {
  if ((commonProblems as readonly string[]).includes(code)) return html`every operation`;
  if ((replayProblems as readonly string[]).includes(code)) return html`every operation that takes an Idempotency-Key`;
  if ((versionProblems as readonly string[]).includes(code)) return html`every change that takes If-Match`;
  const returning = contracts.filter((operation) => operation.problems.includes(code));
  if (returning.length === 0) return html`the platform itself`;
  return html`${returning.map(({ name }) => html`<a href="${operationPath({ operationId: name })}">${name}</a>`)}`;
}
