const kept = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns a format of a language; undefined is the browser's. Each is created once: creating one costs a hundred times as much as using it.
 */
export function dateFormat(language: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = kept.get(key) ?? new Intl.DateTimeFormat(language, options);
  kept.set(key, format);
  return format;
}
