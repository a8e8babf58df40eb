import { readdirSync, readFileSync } from 'node:fs';
import setUp from '../global-setup.ts';
import { currentTestRun } from '../test-run.ts';

await setUp();
const { folder } = currentTestRun();
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /(postmaster|nats)\.pid$/.test(file));
console.log(JSON.stringify(files.map((file) => Number.parseInt(readFileSync(`${folder}/${file}`, 'utf8'), 10))));
setInterval(() => {}, 60_000);
