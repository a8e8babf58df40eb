import { StripeRefusal } from './refusal.ts';

export type Form = string | FormParts;
export interface FormParts {
  [name: string]: Form;
}

const deepest = 6;

/** Keeps a malformed name, so that it is refused as unknown. */
export function decodeForm(text: string): FormParts {
  const root = parts();
  for (const [name, value] of new URLSearchParams(text)) place(root, pathOf(name), value);
  return root;
}

/** Throws Stripe's refusal for anything but an object. */
export function decodeJson(text: string): FormParts {
  try {
    const form = formOf(JSON.parse(text === '' ? '{}' : text));
    if (typeof form === 'object') return form;
  } catch {}
  throw new StripeRefusal(400, 'The request body is not a JSON object.', { code: 'invalid_request_body' });
}

const formOf = (value: unknown): Form =>
  typeof value === 'object' && value !== null
    ? Object.assign(parts(), Object.fromEntries(Object.entries(value).map(([name, part]) => [name, formOf(part)])))
    : String(value);

function pathOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!match?.[1]) return [name];
  const inner = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map(([, part]) => part ?? '');
  return inner.length < deepest ? [match[1], ...inner] : [name];
}

function place(into: FormParts, [name = '', ...rest]: string[], value: string): void {
  const key = name === '' ? String(Object.keys(into).length) : name;
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  const held = into[key];
  const next = typeof held === 'object' ? held : parts();
  into[key] = next;
  place(next, rest, value);
}

/** Without a prototype, a name in a request cannot address an inherited property. */
const parts = (): FormParts => Object.create(null) as FormParts;
