import { writeFileSync } from 'node:fs';
import { generatedTypes, typesFile } from './types.ts';

writeFileSync(typesFile, await generatedTypes());
