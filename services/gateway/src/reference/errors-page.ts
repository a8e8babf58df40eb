import { type AnyOperation, commonProblems, type ProblemCode, problems, replayProblems } from '@corner/contracts';
import { type Html, html, page } from './page.ts';

/** Returns the page of all problem codes: what each means, why it happens, what to do, and which operations return it. */
export function errorsPage(contracts: readonly AnyOperation[]): string {
  const codes = Object.keys(problems) as ProblemCode[];
  const byStatus = [...Map.groupBy(codes, (code) => problems[code].status)].toSorted(([one], [other]) => one - other);
  return page(
    'Errors',
    html`<main>
<h1>Errors</h1>
<p>An error is <code>{"error":{"code","message","requestId"}}</code>. Decide by the code: it never changes its meaning. The message is for people and may name the field. Quote the request id when you ask us.</p>
<p>A success and a final refusal are kept under an Idempotency-Key for 24 hours: a repeat gets them again. After any other response, a repeat runs the operation again.</p>
${byStatus.map(([status, group]) => html`<h2>${status}</h2>\n${group.map((code) => entry(code, contracts))}`)}
</main>`,
  );
}

function entry(code: ProblemCode, contracts: readonly AnyOperation[]): Html {
  const { message, cause, fix, final } = problems[code];
  return html`<section id="${code}">
<h3><a href="#${code}">${code}</a></h3>
<p>${message}</p>
<dl><dt>Cause</dt><dd>${cause}</dd><dt>Fix</dt><dd>${fix}</dd><dt>Final</dt><dd>${final ? 'Yes: the same request is refused again, whatever happens later.' : 'No: the same request may be accepted later.'}</dd><dt>Returned by</dt><dd>${returnedBy(code, contracts)}</dd></dl>
</section>`;
}

function returnedBy(code: ProblemCode, contracts: readonly AnyOperation[]): string {
  if ((commonProblems as readonly string[]).includes(code)) return 'every operation';
  if ((replayProblems as readonly string[]).includes(code)) return 'every operation that takes an Idempotency-Key';
  const names = contracts.filter((operation) => operation.problems.includes(code)).map((operation) => operation.name);
  return names.length > 0 ? names.join(', ') : 'the platform itself';
}
