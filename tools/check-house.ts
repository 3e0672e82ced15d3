import { brokenRules } from './house-rules.ts';

/** Part of `npm run check`. */
const broken = brokenRules(new URL('..', import.meta.url).pathname);
for (const line of broken) process.stderr.write(`${line}\n`);
process.exitCode = broken.length === 0 ? 0 : 1;
