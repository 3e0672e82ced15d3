import { resolve } from 'node:path';
import { stagePackage as stageCli } from '../packages/cli/packaging/package.ts';
import { stagePackage as stageSdk } from '../packages/sdk/packaging/package.ts';
import { pack } from './pack.ts';

/** `node tools/pack-clients.ts FOLDER`: the part of `npm run package` that is not the service. */
const destination = resolve(process.argv[2] ?? '.');
for (const stage of [stageSdk, stageCli]) process.stdout.write(`${await pack(stage, destination)}\n`);
