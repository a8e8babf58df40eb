import { readdirSync, readFileSync } from 'node:fs';

const folder = `${import.meta.dirname}/pictures`;

/** The pictures of the demo's items. The demo's directory names each by the hash of its bytes. */
export const demoPictures = (): Buffer[] => readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`));
