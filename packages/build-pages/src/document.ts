/** Where the entries are, among the files that were made. */
export interface Names {
  readonly theme: string | null;
  readonly style: string | null;
  /** The main script first, then what it imports at once. */
  readonly scripts: readonly string[];
  /** Loaded in addition by the first page. */
  readonly firstPage: readonly string[];
}

export interface Document {
  readonly title: string;
  /** Further elements of the head, such as the link to an icon. */
  readonly head: readonly string[];
  /** The text for a browser without JavaScript. */
  readonly noscript: string;
  /** Shown until the first page is drawn, also before the style is there, so it has none: an SVG. Nothing when absent. */
  readonly loading?: string;
}

/** Returns the one document of the pages. It has no inline script and no inline style, so that the policy of the server can refuse both. */
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
