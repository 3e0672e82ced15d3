import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The folder is that of a clone again. */
const server = join(import.meta.dirname, '..');
renameSync(join(server, 'package.source.json'), join(server, 'package.json'));
for (const name of ['dist', 'NOTICE', 'LICENSE', 'README.md']) rmSync(join(server, name), { recursive: true });
