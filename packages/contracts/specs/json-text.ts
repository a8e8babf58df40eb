/** The text of a document that people review: an object or a list takes one line where it fits, else a line for each member. */
export const jsonText = (document: unknown): string => `${textOf(document, '')}\n`;

/** The same with one line for each member of the members: an object of objects of examples. */
export const linePerExample = (groups: Readonly<Record<string, object>>): string =>
  `{\n${Object.entries(groups)
    .map(([name, members]) => `  ${JSON.stringify(name)}: {\n${linesOf(members)}\n  }`)
    .join(',\n')}\n}\n`;

const linesOf = (members: object): string =>
  Object.entries(members)
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n');

const width = 140;

function textOf(value: unknown, indent: string, taken = 0): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  if (typeof value !== 'object' || value === null || line.length + indent.length + taken <= width) return line;
  const inner = `${indent} `;
  const [members, open, close] = Array.isArray(value)
    ? [value.map((one) => textOf(one, inner)), '[', ']']
    : [
        Object.entries(value).flatMap(([name, one]) =>
          one === undefined ? [] : [`${JSON.stringify(name)}: ${textOf(one, inner, name.length + 4)}`],
        ),
        '{',
        '}',
      ];
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`;
}
