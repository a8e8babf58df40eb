import { writeFileSync } from 'node:fs';
import { openapiText } from './openapi.ts';

writeFileSync(`${import.meta.dirname}/openapi.json`, openapiText());
