import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { putAccount } from './accounts.ts';
import { askedFirst } from './onboarding.ts';
import type { Account, AccountLink } from './stripe-shapes.ts';
import { type Change, noCause, seconds, type World } from './world.ts';

export function createHostedPage(world: World, change: Change) {
  return async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://payments');
    const [, , ...path] = pathname.split('/');
    const [visit, id] = path[0] === 'visit' ? [true, path[1]] : [false, path[0]];
    const link = world.books.all('account_link').find((one) => (visit ? one.visit === id : one.id === id));
    if (!link) return sendPage(response, 404, page('There is no such page', '<p>The address is wrong.</p>'));
    if (!visit)
      return redirect(
        response,
        change(noCause, () => visitOf(world, link)),
      );
    const account = world.books.get('account', link.account);
    if (!account) throw new Error('a link names an account that is not in the books');
    if (request.method !== 'POST') return sendPage(response, 200, form(account));
    const given = new URLSearchParams(await text(request));
    change(noCause, () => apply(world, account, given));
    redirect(response, link.return_url);
  };
}

function visitOf(world: World, link: AccountLink): string {
  if (link.visit !== null || link.expires_at <= seconds(world.now())) return link.refresh_url;
  const { visit } = world.books.put<AccountLink>({ ...link, visit: world.newId('', 32) });
  return `/setup/visit/${visit}`;
}

const document = 'individual.verification.document';

function apply(world: World, account: Account, given: URLSearchParams): void {
  const missing = ({ currently_due }: Account['requirements']) => (currently_due ?? []).filter((name) => !given.get(name)?.trim());
  const due = missing(account.requirements);
  const askLater = given.get('ask_later') === 'on' && due.length === 0;
  const may = due.length === 0 ? 'active' : account.capabilities.transfers;
  putAccount(world, {
    ...account,
    business_profile: { name: given.get('business_profile.name')?.trim() || account.business_profile.name },
    capabilities: { card_payments: may, transfers: may },
    charges_enabled: may === 'active',
    details_submitted: account.details_submitted || due.length === 0,
    payouts_enabled: may === 'active',
    requirements: {
      ...account.requirements,
      currently_due: askLater ? [document] : due,
      eventually_due: askLater ? [document] : due,
      past_due: (account.requirements.past_due ?? []).filter((name) => due.includes(name)),
      disabled_reason: due.length === 0 ? null : account.requirements.disabled_reason,
      current_deadline: askLater ? seconds(world.now()) + 14 * 86_400 : due.length === 0 ? null : account.requirements.current_deadline,
    },
  });
}

const labels: Readonly<Record<string, string>> = { ...askedFirst, [document]: 'A document that shows who you are (type its number)' };

function form({ business_profile, email, requirements }: Account): string {
  const due = requirements.currently_due ?? [];
  const boxes = due.map((name) => {
    const value = name === 'business_profile.name' ? (business_profile.name ?? '') : '';
    return `<label>${inHtml(labels[name] ?? name)}<input name="${inHtml(name)}" value="${inHtml(value)}" autocomplete="off"></label>`;
  });
  return page(
    'Get paid',
    `<p>This page stands for the payment provider’s. Nothing that you type leaves this machine.</p>
<p>Account of ${inHtml(email ?? 'an unknown owner')}.</p>
<form method="post">
${due.length === 0 ? '<p>Nothing is missing.</p>' : boxes.join('\n')}
<label class="tick"><input type="checkbox" name="ask_later"> Ask for a document later, with a deadline</label>
<button name="step" value="finish">Finish</button>
<button name="step" value="later" class="quiet">Finish later</button>
</form>`,
  );
}

export const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: simulated payment provider</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; color: #1a1f36; background: #f6f8fa; margin: 0 }
main { max-width: 28rem; margin: 0 auto; padding: 1.5rem 1rem }
label { display: block; margin: 1rem 0 }
input:not([type]) { display: block; box-sizing: border-box; width: 100%; font: inherit; padding: .5rem; border: 1px solid #5e6677; border-radius: .25rem }
.tick { display: flex; gap: .5rem }
button { display: block; width: 100%; font: inherit; padding: .75rem; margin: .75rem 0; border: 0; border-radius: .25rem; background: #4338ca; color: #fff }
.quiet { background: none; color: #1a1f36; border: 1px solid #5e6677 }
</style>
</head>
<body><main><h1>${title}</h1>
${body}
</main></body>
</html>
`;

const inHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }).end(html);
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location, 'Cache-Control': 'no-store' }).end();
}
