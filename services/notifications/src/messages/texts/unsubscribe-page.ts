import { escapeHtml, type PreferenceToggle } from '@corner/contracts';
import { en } from './en.ts';
import type { PartialTexts } from './text.ts';

export interface UnsubscribePage {
  readonly state: 'ask' | 'done' | 'invalid';
  readonly toggle: PreferenceToggle;
  readonly storeName: string | null;
}

/** Opening either page changes nothing: its button posts to its own address. */
export function writeUnsubscribePage(language: PartialTexts, { state, toggle, storeName }: UnsubscribePage): string {
  const { locale, unknownStore, mail } = language.mail ? { ...language, mail: language.mail } : en;
  const { unsubscribe, topics } = mail;
  const [topic, store] = [topics[toggle], storeName ?? unknownStore];
  const text = state === 'ask' ? unsubscribe.ask(topic, store) : state === 'done' ? unsubscribe.done(topic, store) : unsubscribe.invalid;
  return writePage(locale, text, state === 'ask' ? form(unsubscribe.confirm, unsubscribe.others) : '');
}

export function writeAddressPage(language: PartialTexts, does: 'keep' | 'stop', state: 'ask' | 'done'): string {
  const { locale, mail } = language.mail ? { ...language, mail: language.mail } : en;
  const { address: texts } = mail;
  if (state === 'done') return writePage(locale, does === 'keep' ? texts.kept : texts.stopped, '');
  return does === 'keep'
    ? writePage(locale, texts.askKeep, form(texts.keep, ''))
    : writePage(locale, texts.askStop, form(texts.confirmStop, texts.stops));
}

const writePage = (locale: string, text: string, form: string): string => `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(text)}</title>
</head>
<body style="margin: 0 auto; max-width: 32em; padding: 24px 16px; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;">
<main>
<h1 style="font-size: 20px; line-height: 1.3;">${escapeHtml(text)}</h1>
${form}</main>
</body>
</html>
`;

const form = (confirm: string, others: string): string => `${
  others &&
  `<p>${escapeHtml(others)}</p>
`
}<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button style="font: inherit; padding: 8px 16px;">${escapeHtml(confirm)}</button>
</form>
`;
