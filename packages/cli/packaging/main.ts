import { resolve } from 'node:path';
import { packInto } from './package.ts';

/** `node packaging/main.ts FOLDER`: part of `npm run package`. */
process.stdout.write(`${await packInto(resolve(process.argv[2] ?? '.'))}\n`);
