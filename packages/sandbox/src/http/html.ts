import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);

export const allowStyle = (style: string): string => `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`;

export function sendPage(response: ServerResponse, html: string, policy: string, { status = 200, referrer = 'no-referrer' } = {}): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': referrer,
    'Cache-Control': 'no-store',
  });
  response.end(html);
}
