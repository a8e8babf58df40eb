/** A part of a mail. Each is written alike as text and as HTML, so that both say the same. */
export type MailPart =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** A label with its value, such as a code. */
  | { readonly kind: 'fact'; readonly label: string; readonly value: string }
  /** Amounts at the right margin. */
  | { readonly kind: 'amounts'; readonly rows: readonly { readonly label: string; readonly amount: string; readonly isTotal: boolean }[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly url: string };

/** A mail before it is written as MIME. Its texts may contain what a person typed. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
  readonly senderName: string | null;
  /** Where a reply goes; null when the store has no address. */
  readonly replyTo: string | null;
  /** Where one POST stops mail of this kind (RFC 8058); null for mail that cannot be stopped. */
  readonly unsubscribeUrl: string | null;
}

/** Makes a header's value of what a person typed: control characters and line breaks become spaces. */
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
