import type { ServerResponse } from 'node:http';
import { allowStyle, escaped, sendPage } from '../../http/html.ts';
import type { Person } from './people-and-clients.ts';

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent); }
body { font: 16px/1.5 system-ui, sans-serif; margin: 12vh auto 2rem; max-width: 26rem; padding: 0 1rem; }
h1 { font-size: 1.25rem; margin: 0; }
p { margin: .25rem 0 1.25rem; opacity: .75; }
form { display: grid; gap: .5rem; margin-bottom: 1.5rem; }
h2 { font-size: 1rem; margin: 0 0 .5rem; }
label { display: grid; gap: .25rem; font-size: .875rem; }
input { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .5rem; padding: .625rem .875rem; }
button { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .5rem; padding: .625rem .875rem; text-align: left; cursor: pointer; }
button:hover { background: color-mix(in srgb, currentColor 7%, transparent); }
button:focus-visible, input:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
strong, span { display: block; }
span { font-size: .875rem; opacity: .75; }
`;

/** No script runs and nothing is loaded. `form` lists the allowed targets of a form and of the redirect that answers it. */
const policy = (form: string): string =>
  ["default-src 'none'", allowStyle(style), "base-uri 'none'", `form-action ${form}`, "frame-ancestors 'none'"].join('; ');

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)} · Corner</title>
<style>${style}</style>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</html>
`;

export function sendSignInPage(response: ServerResponse, query: string, people: readonly Person[], origin: string): void {
  const buttons = people.map(
    ({ key, name, about }) =>
      `<button name="person" value="${escaped(key)}"><strong>${escaped(name)}</strong><span>${escaped(about)}</span></button>`,
  );
  const action = `method="post" action="/authorize?${escaped(query)}"`;
  const chosen = people.length === 0 ? '' : `<form ${action}>\n${buttons.join('\n')}\n</form>\n<h2>Someone new</h2>\n`;
  const body = `<p>This page is for development; it asks for no password.</p>
${chosen}<form ${action}>
<label>Name<input name="name" required autocomplete="name" maxlength="100"></label>
<label>E-mail<input name="email" type="email" required autocomplete="email" maxlength="200"></label>
<button>Sign in</button>
</form>`;
  sendPage(response, page('Sign in', body), policy(`'self' ${origin}`), { referrer: 'same-origin' });
}

export function sendSentence(response: ServerResponse, status: number, title: string, sentence: string): void {
  sendPage(response, page(title, `<p>${escaped(sentence)}</p>`), policy("'none'"), { status });
}
