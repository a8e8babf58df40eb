import { parseSync, type StaticImportEntry, Visitor } from 'oxc-parser';

interface Import {
  /** Null for a dynamic import whose path is computed. */
  readonly specifier: string | null;
  /** As the other module exports them; empty for the whole module. */
  readonly names: readonly string[];
  readonly values: readonly string[];
  readonly typeOnly: boolean;
}

export interface Source {
  readonly imports: readonly Import[];
  /** Uses of the clock, randomness, the environment and globals: `Date.now()` or `process.env`. */
  readonly uses: readonly string[];
  readonly texts: readonly string[];
}

const parsed = new Map<string, { readonly text: string; readonly source: Source }>();

/** Throws at a syntax error. Parses the same text once. */
export function readSource(path: string, text: string): Source {
  const known = parsed.get(path);
  if (known?.text === text) return known.source;
  const source = parse(path, text);
  parsed.set(path, { text, source });
  return source;
}

function parse(path: string, text: string): Source {
  const { program, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const imports: Import[] = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    names: namesOf(entries),
    values: namesOf(entries.filter(({ isType }) => !isType)),
    typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
  }));
  for (const { entries } of module.staticExports)
    for (const { moduleRequest, isType, importName } of entries)
      if (moduleRequest) {
        const names = importName.name ? [importName.name] : [];
        imports.push({ specifier: moduleRequest.value, names, values: isType ? [] : names, typeOnly: isType });
      }
  const uses: string[] = [];
  const texts: string[] = [];
  new Visitor({
    ImportExpression({ source }) {
      imports.push({
        specifier: source.type === 'Literal' && typeof source.value === 'string' ? source.value : null,
        names: [],
        values: [],
        typeOnly: false,
      });
    },
    TSImportType({ source }) {
      imports.push({ specifier: typeof source.value === 'string' ? source.value : null, names: [], values: [], typeOnly: true });
    },
    MemberExpression({ object, property }) {
      if (object.type === 'Identifier' && property.type === 'Identifier') uses.push(`${object.name}.${property.name}`);
    },
    NewExpression({ callee, arguments: given }) {
      if (callee.type === 'Identifier' && callee.name === 'Date' && given.length === 0) uses.push('new Date()');
    },
    CallExpression({ callee }) {
      if (callee.type === 'Identifier') uses.push(callee.name === 'Date' ? 'new Date()' : callee.name);
    },
    Literal({ value }) {
      if (typeof value === 'string') texts.push(value);
    },
    TemplateLiteral({ quasis }) {
      texts.push(quasis.map(({ value }) => value.cooked ?? value.raw).join(' '));
    },
  }).visit(program);
  return { imports, uses, texts };
}

const namesOf = (entries: readonly StaticImportEntry[]): string[] =>
  entries.flatMap(({ importName }) => (importName.kind === 'Name' && importName.name ? [importName.name] : []));
