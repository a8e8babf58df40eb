const kept = new Map<string, Intl.DateTimeFormat>();

/** Returns a format of a language, or of the environment’s. Each is made once: making it costs a hundred times as much as using it. */
export function dateFormat(language: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = kept.get(key) ?? new Intl.DateTimeFormat(language, options);
  kept.set(key, format);
  return format;
}
