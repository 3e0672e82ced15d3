import { fileURLToPath } from 'node:url';
import { brokenRules } from './house-rules.ts';
import { strayTextSearches } from './text-searches.ts';

/** Part of `npm run check`. */
const root = fileURLToPath(new URL('..', import.meta.url));
const broken = [...brokenRules(root), ...strayTextSearches(root)];
for (const line of broken) process.stderr.write(`${line}\n`);
process.exitCode = broken.length === 0 ? 0 : 1;
