import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The folder is that of a clone again. */
const cli = join(import.meta.dirname, '..');
renameSync(join(cli, 'package.source.json'), join(cli, 'package.json'));
for (const name of ['dist', 'NOTICE', 'LICENSE', 'btg.1']) rmSync(join(cli, name), { recursive: true });
