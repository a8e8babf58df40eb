/**
 * Writes a message as one text: its title, then its body. Typographic signs become plain ones, because a single sign outside of the GSM
 * alphabet more than halves how much fits into one SMS.
 */
export const smsText = ({ title, body }: { readonly title: string; readonly body: string }): string =>
  `${title}. ${body}`
    .replace(/[‘’]/g, "'")
    .replace(/[“”«»]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/[\u00a0\u202f]/g, ' ');
