/** Quoted text, bodies of functions, comments, the semicolon, and everything else. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<tag>\$\w*\$)[\s\S]*?\k<tag>|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"$;\-/]+|[\s\S]/g;

/** Splits SQL into its statements, without comments. A semicolon in quotes or in the body of a function ends none. */
export function splitStatements(sql: string): readonly string[] {
  const statements: string[] = [];
  let open = '';
  for (const [token] of sql.matchAll(tokens)) {
    if (token === ';') {
      statements.push(open.trim());
      open = '';
    } else if (!token.startsWith('--') && !token.startsWith('/*')) open += token;
  }
  return [...statements, open.trim()].filter((statement) => statement !== '');
}
