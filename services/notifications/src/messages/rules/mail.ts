/**
 * A part of a mail, written as text and as HTML with the same words. A fact is a label with its value, such as a code; amounts are at the
 * right margin.
 */
export type MailPart =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'fact'; readonly label: string; readonly value: string }
  | { readonly kind: 'amounts'; readonly rows: readonly { readonly label: string; readonly amount: string; readonly isTotal: boolean }[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly url: string };

/**
 * Its texts may contain a person's input. `replyTo` is null when the store has no address. One POST to `unsubscribeUrl` stops mail of this
 * kind (RFC 8058); null for mail that cannot be stopped.
 */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
  readonly senderName: string | null;
  readonly replyTo: string | null;
  readonly unsubscribeUrl: string | null;
}

export const headerText = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/**
 * Returns a stranger's name as a mail of the platform quotes it: on one line, at most forty characters, without marks that turn the
 * direction of text, and with nothing that a mail program makes a link of.
 */
export function quotedName(text: string): string {
  const plain = headerText(text.replaceAll(/\p{Cf}+/gu, '')).replaceAll(/[.:/\\@]+(?=\S)/gu, ' ');
  const letters = [...plain];
  return letters.length > 40 ? `${letters.slice(0, 39).join('').trim()}…` : plain;
}
