import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import { shapes } from './shapes/index.ts';

/**
 * `--shape` may be repeated; by default, the service is started from a clone. `--journeys` runs the dashboard journeys
 * in a browser instead of the stories. Other words select files.
 */
const { values, positionals } = parseArgs({
  options: {
    shape: { type: 'string', multiple: true, default: ['clone'] },
    journeys: { type: 'boolean', default: false },
    retry: { type: 'string', default: '0' },
  },
  allowPositionals: true,
});

for (const name of values.shape) {
  const shape = shapes.find((one) => one.name === name);
  if (!shape) refuse(`${name} is no shape. There are: ${shapes.map((one) => one.name).join(', ')}`);
  const lack = shape.lacks?.() ?? null;
  if (lack !== null) refuse(`The shape ${name} cannot run here: ${lack}`);
}
process.env.USERS_WHAT = values.journeys ? 'journeys' : 'stories';
for (const name of values.shape) {
  process.env.USERS_SHAPE = name;
  process.stdout.write(`\nThe shape: ${name}\n`);
  const options = { config: 'users/vitest.config.ts', watch: false, retry: Number(values.retry) };
  const vitest = await startVitest('test', positionals, options);
  await vitest.close();
  if (process.exitCode) process.exit();
}

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
