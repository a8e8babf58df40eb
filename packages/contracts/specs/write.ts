import { writeFileSync } from 'node:fs';
import { documents } from './documents.ts';

for (const [name, text] of Object.entries(documents())) writeFileSync(`${import.meta.dirname}/${name}`, text);
