export interface Names {
  readonly theme: string | null;
  readonly style: string | null;
  /** `scripts` begins with the main script, then its imports; the first page also loads `firstPage`. */
  readonly scripts: readonly string[];
  readonly firstPage: readonly string[];
}

export interface Document {
  readonly title: string;
  readonly head: readonly string[];
  readonly noscript: string;
  /**
   * `head` has further elements of the head, such as the link to an icon. `loading` is shown until the first page is drawn, also before the
   * style has loaded, so it is an SVG.
   */
  readonly loading?: string;
}

/** Returns the only document of the pages. It has no inline script and no inline style, so that the server's policy can refuse both. */
export function indexHtml({ theme, style, scripts }: Names, { title, head, noscript, loading = '' }: Document): string {
  const styles = style === null ? '' : `<link rel="stylesheet" href="/${style}">`;
  const elements = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${title}</title>`,
    ...head,
    theme === null ? [] : `<script src="/${theme}"></script>`,
    loading === '' && styles !== '' ? styles : [],
    scripts.slice(1).map((path) => `<link rel="modulepreload" href="/${path}">`),
    `<script type="module" src="/${scripts[0]}"></script>`,
  ];
  return `<!doctype html>
<html lang="en">
<head>
${elements.flat().join('\n')}
</head>
<body><div id="root">${loading}</div>${loading === '' ? '' : styles}<noscript>${noscript}</noscript></body>
</html>
`;
}
