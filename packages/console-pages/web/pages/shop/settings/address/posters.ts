import { encode } from 'uqr';

export function shopAddress(shopUrl: string, code: string, table?: string): string {
  const address = `${shopUrl}/s/${encodeURIComponent(code)}`;
  return table === undefined ? address : `${address}?${new URLSearchParams({ table })}`;
}

const longestName = 16;
const mostTables = 200;

export type Tables = { readonly tables: readonly string[]; readonly fault?: undefined } | { readonly fault: string };

/** `1-12, Terrace`: names and ranges, separated by commas, each table once. Else returns the fault. */
export function readTables(text: string): Tables {
  const tables = new Set<string>();
  for (const part of text.split(/[,;\n]/)) {
    const name = part.trim().replaceAll(/\s+/g, ' ');
    if (name === '') continue;
    const [, first, last] = /^(\d{1,6}) ?[-–] ?(\d{1,6})$/.exec(name) ?? [];
    if (first === undefined) {
      if (name.length > longestName) return { fault: `“${name}” is too long for a table: use ${longestName} characters at most.` };
      tables.add(name);
    } else {
      if (Number(last) < Number(first)) return { fault: `“${name}” ends before it begins: write ${last}-${first}.` };
      if (Number(last) - Number(first) >= mostTables) return { fault: tooMany };
      for (let number = Number(first); number <= Number(last); number++) tables.add(String(number));
    }
    if (tables.size > mostTables) return { fault: tooMany };
  }
  return { tables: [...tables] };
}

const tooMany = `Print ${mostTables} tables at a time: leave some out, and print them next.`;

const quiet = 4;

/** Returns the path of an SVG, and the length of its sides in modules. It stays readable with a scratch over an eighth of it. */
export function codePath(address: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(address, { ecc: 'M', border: quiet });
  const rows = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return { size, path: rows.join('') };
}
