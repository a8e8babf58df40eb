const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Writes text so that HTML shows it, and nothing in it is markup. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => marks[mark] ?? mark);
