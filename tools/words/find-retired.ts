import { parseSync, Visitor } from 'oxc-parser';
import type { Files } from '../walls/find-breaches.ts';
import { exempt, retired } from './retired.ts';

export const findRetired = (files: Files): string[] =>
  [...files]
    .filter(([path]) => !exempt.some((pattern) => pattern.test(path)))
    .flatMap(([path, text]) => (/\.tsx?$/.test(path) ? inSource(path, text) : inText(path, text, 0, text)));

const inText = (path: string, text: string, offset: number, whole: string): string[] =>
  [...text.matchAll(/\b[A-Za-z]+\b/g)].flatMap(({ 0: word, index }) => {
    const instead = retired.get(word.toLowerCase());
    return instead === undefined ? [] : [`${path}:${lineAt(whole, offset + index)} ${word}: say ${instead}`];
  });

const inName = (path: string, name: string, offset: number, whole: string): string[] =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).flatMap((word) => {
    const instead = retired.get(word.toLowerCase());
    return instead === undefined ? [] : [`${path}:${lineAt(whole, offset)} ${name}: say ${instead}`];
  });

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

function inSource(path: string, text: string): string[] {
  const { program, comments } = parseSync(path, text);
  const found = [
    ...inName(path, path.split('/').at(-1) ?? '', 0, text),
    ...comments.flatMap(({ value, start }) => inText(path, value, start + 2, text)),
  ];
  new Visitor({
    Identifier: ({ name, start }) => void found.push(...inName(path, name, start, text)),
    Literal({ value, start }) {
      if (typeof value === 'string') found.push(...inText(path, value, start, text));
    },
    JSXText: ({ value, start }) => void found.push(...inText(path, value, start, text)),
    TemplateElement: ({ value, start }) => void found.push(...inText(path, value.raw, start, text)),
  }).visit(program);
  return [...new Set(found)];
}
