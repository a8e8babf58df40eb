import { expect, test } from '@jest/globals';
import { withNaturalNames } from './natural-names.ts';

const helper = 'var __name=(target,value)=>Object.defineProperty(target,"name",{value,configurable:!0});';
const functions = [
  'let a=__name(()=>1,"a"),b=__name(async function(){},"b"),renamed2=__name(()=>2,"renamed");',
  'a=__name(x=>x,"a");function c(){}__name(c,"c");function d2(){}__name(d2,"d"),__name(c,"c");',
  'var o={e:__name(()=>3,"e"),["f"]:__name(()=>4,"f"),g:__name(()=>5,"other")};let {h=__name(()=>6,"h")}={};',
  'class K{static{__name(this,"J")}}var t="é😀",u=__name(()=>t,"u");',
].join('');
const names = 'return[a,b,renamed2,c,d2,o.e,o.f,o.g,h,K,u].map(f=>f.name)';
const namesOf = (code: string): unknown => new Function(`${helper}${code}${names}`)();

test('a function that has its name by itself is not named again, and every function keeps its name and its place', () => {
  const natural = withNaturalNames(functions);
  expect(namesOf(natural)).toEqual(namesOf(functions));
  expect(natural.match(/__name\([^)]*/g)).toEqual(['__name((', '__name(d2,"d"', '__name((', '__name((', '__name(this,"J"']);
  expect(natural).toHaveLength(functions.length);
  for (const text of ['function d2', 'g:__name', 'static{', '()=>t']) expect(natural.indexOf(text)).toBe(functions.indexOf(text));
});
