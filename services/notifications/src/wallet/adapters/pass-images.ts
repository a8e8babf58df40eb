import { readFileSync } from 'node:fs';

const read = (name: string): Buffer => readFileSync(`${import.meta.dirname}/images/${name}.png`);

/** The images that every pass has. PassKit opens no bundle without an icon. */
export const passImages = { icon: read('icon'), icon2x: read('icon@2x'), icon3x: read('icon@3x'), logo: read('logo') };
