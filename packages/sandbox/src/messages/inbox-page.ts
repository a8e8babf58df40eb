import type { ServerResponse } from 'node:http';
import { allowStyle, escaped, sendPage } from '../http/html.ts';
import type { Message } from './inbox.ts';

const refreshSeconds = 2;
const shown = 200;

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 46rem; padding: 0 1rem; }
h1 { font-size: 1.25rem; }
ol { list-style: none; margin: 0; padding: 0; }
li { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .75rem 0; }
h2 { font-size: 1rem; margin: 0; }
p { margin: 0; white-space: pre-wrap; }
small { opacity: .7; overflow-wrap: anywhere; }
`;

const policy = ["default-src 'none'", allowStyle(style), "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join('; ');

export function sendInboxPage(response: ServerResponse, messages: readonly Message[]): void {
  const newest = [...messages].reverse().slice(0, shown);
  const count = `${messages.length} ${messages.length === 1 ? 'message' : 'messages'}`;
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${refreshSeconds}">
<title>${count} · Corner inbox</title>
<style>${style}</style>
<h1>Corner inbox: ${count}</h1>
<ol>
${newest.map(itemOf).join('\n')}
</ol>
</html>
`;
  sendPage(response, html, policy);
}

/** A mail's HTML may not run a script, load anything, send a form or read this origin: the browser gives it an opaque origin. */
const partPolicy = "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function sendHtmlPart(response: ServerResponse, html: string): void {
  sendPage(response, html, partPolicy);
}

function itemOf({ n, at, channel, by, to, title, text, html, collapseKey }: Message): string {
  const facts = [`${channel} by ${by}`, `to ${to}`, ...(collapseKey === null ? [] : [`key ${collapseKey}`]), `no. ${n}`];
  return `<li><h2>${escaped(title || (channel === 'sms' ? 'SMS' : '(no title)'))}</h2><p>${escaped(text)}</p><small><time datetime="${escaped(at)}">${escaped(at)}</time> · ${facts.map(escaped).join(' · ')}${html === null ? '' : ` · <a href="/inbox/${n}.html">as HTML</a>`}</small></li>`;
}
