import { readdirSync, readFileSync } from 'node:fs';

const folder = `${import.meta.dirname}/pictures`;

export const demoPictures = (): Buffer[] => readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`));
